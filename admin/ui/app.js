// The admin of an API: pages by the hash of the URL, navigation, and sign-in when it is needed.
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact.js";
import { expected, get, ignoreCookies, onUnauthorized, personOf } from "./api.js";
import { announce, load, watch } from "./caller.js";
import { hashOf, isOpened, isWhole, model, parameterOf, resourceOf } from "./model.js";
import { backOf, go, hashOfSignIn, isProtected, mayLeave, pageOf, parts, protect, useHash } from "./router.js";
import { complete } from "./oauth.js";
import { forget } from "./credentials.js";
import { isRegistration, signOut } from "./signin.js";
import { Account } from "./account.js";
import { forgetTitle, useTitles } from "./titles.js";
import { Alert, Dialog, Loading, Messages, hush, say, sayError } from "./dialog.js";
import { Keys } from "./keys.js";
import { ListPage } from "./list.js";
import { lazy, loadAll } from "./lazy.js";
import { inside, recordsText, t } from "./texts.js";

const RecordPage = lazy(() => import("./later/record.js"), "RecordPage");
const NewPage = lazy(() => import("./later/record.js"), "NewPage");
const SignIn = lazy(() => import("./later/signin.js"), "SignIn");
const Dashboard = lazy(() => import("./later/dashboard.js"), "Dashboard");
const ImportPage = lazy(() => import("./later/import/page.js"), "default", true);

/** Resources with a page of their own: those in the navigation. */
const listed = () => model.resources.filter((one) => ((one.list || one.create) && one.path && !one.path.includes("{")) || isOpened(one) || one.custom.some(isWhole));

function Navigation({ current, open }) {
  return html`<nav id="navigation" aria-label=${t("app.navigation")} class=${open ? "open" : ""}>
    <ul>
      <li><a href="#/" aria-current=${current === "" ? "page" : undefined}>${t("app.home")}</a></li>
      ${listed().map((one) => html`<li key=${one.name}><a href=${hashOf(one)} aria-current=${current === one.name ? "page" : undefined}>${one.plural}</a></li>`)}
    </ul>
    <p class="foot"><a href=${model.home}>${t("app.api")}</a>${model.docs && html`<a href=${model.docs}>${t("app.docs")}</a>`}</p>
  </nav>`;
}

function Header({ open, setOpen, onSignOut }) {
  return html`<header class="top">
    <button type="button" class="menu quiet" aria-expanded=${open ? "true" : "false"} aria-controls="navigation" onClick=${() => setOpen(!open)}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" /></svg>
      <span class="hidden">${t("app.menu")}</span></button>
    <a class="brand" href="#/">${model.logo ? html`<img src=${model.logo} alt="" />` : html`<span class="mark" aria-hidden="true">${model.initial}</span>`}<span>${model.title}</span></a>
    <nav class="places" aria-label=${t("app.pages")}><a href=${model.home}>${t("app.api")}</a>${model.docs && html`<a href=${model.docs}>${t("app.docs")}</a>`}<a href="#/" aria-current="page">${t("app.admin")}</a></nav>
    <span class="who">
      <button type="button" class="quiet find" aria-label=${t("keys.palette")} title=${t("keys.palette")} aria-keyshortcuts="Control+K" onClick=${() => document.dispatchEvent(new Event("admin-palette"))}>
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="9" cy="9" r="5.5" fill="none" stroke="currentColor" stroke-width="1.6" /><path d="m13.2 13.2 4 4" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" /></svg></button>
      ${model.signedIn ? html`<${Account} onSignOut=${onSignOut} />` : model.signIn.length > 0 && html`<a class="button" href=${hashOfSignIn(location.hash)}>${t("sign.in")}</a>`}
      <theme-switch labels=${["system", "light", "dark"].map((one) => t(`theme.${one}`)).join("|")}></theme-switch>
    </span>
  </header>`;
}

/** How many records a resource has, for the overview. */
function Total({ resource }) {
  const [amount, set] = useState(null);
  useLayoutEffect(() => {
    const perPage = parameterOf(resource.list, "itemsPerPage");
    if (!perPage) return;
    get(`${resource.path}?${perPage.name}=${perPage.schema?.minimum === 0 ? 0 : 1}`, { quiet: true }).then(({ amount: found }) => set(found), () => {});
  }, [resource]);
  return amount && html`<span class="total">${recordsText(amount)}</span>`;
}

/** The dashboard of the config, and short links to the resources. */
const DashboardPage = () => html`<h1>${t("app.home")}</h1><${Dashboard} panels=${model.dashboard}><h2 class="later-head">${t("app.navigation")}</h2>
  <ul class="shortcuts">${listed().map((one) => html`<li key=${one.name}><a href=${hashOf(one)}>${one.plural}</a>${one.list && html`<${Total} resource=${one} />`}</li>`)}</ul></${Dashboard}>`;

function Overview() {
  if (model.dashboard.length > 0) return html`<${DashboardPage} />`;
  if (listed().length === 0) return html`<h1>${model.title}</h1><p class="nothing">${t("app.nothing")}</p>`;
  return html`<h1>${t("app.welcome")}</h1>
    <ul class="cards">${listed().map((one) => html`<li key=${one.name} class="card">
      <h2><a href=${hashOf(one)}>${one.plural}</a></h2>
      ${one.help && html`<p>${one.help}</p>`}
      <p class="foot">${one.list && html`<${Total} resource=${one} />`}
        ${one.create && one.path && html`<a href=${`${hashOf(one)}/new`}>${t("list.new", { singular: inside(one.singular) })}</a>`}</p></li>`)}</ul>`;
}

function SignInPage({ onDone }) {
  const open = listed().filter((one) => one.create && one.path && !one.list); // such as registration
  return html`<div class="center"><div class="panel narrow"><h1>${t("sign.title", { title: model.title })}</h1><${SignIn} onDone=${onDone} />
    ${!model.signedIn && open.map((one) => html`<p key=${one.name}><a href=${`${hashOf(one)}/new`}>${isRegistration(one) ? t("sign.register") : t("list.new", { singular: inside(one.singular) })}</a></p>`)}</div></div>`;
}

function Page({ hash, onSigned }) {
  const { name, isNew, isImport, ids, query } = parts(hash);
  if (name === "~sign-in") return html`<${SignInPage} onDone=${onSigned} />`;
  if (name === "") return !listed().some((one) => one.list) && !model.signedIn && model.signIn.length > 0 ? html`<${SignInPage} onDone=${onSigned} />` : html`<${Overview} />`;
  const resource = resourceOf(name);
  if (!resource) {
    if (!model.signedIn && model.signIn.length > 0) return html`<${SignInPage} onDone=${onSigned} />`;
    return html`<h1>${t("app.unknown")}</h1><p><a href="#/">${t("app.home")}</a></p>`;
  }
  if (isNew) return html`<${NewPage} key=${name} resource=${resource} query=${query} onSigned=${onSigned} />`;
  if (isImport && resource.create && resource.path) return html`<${ImportPage} key=${`${name}/import`} resource=${resource} />`;
  if (ids.length > 0) return html`<${RecordPage} key=${`${name}/${ids.join("/")}`} resource=${resource} ids=${ids} query=${query} />`;
  return html`<${ListPage} key=${name} resource=${resource} query=${query} />`;
}

/** Asks the caller to sign in while their work stays as it is. */
function Again({ asked, onClose }) {
  return html`<${Dialog} title=${t("sign.in")} onClose=${() => onClose(false)}>
    <p>${t(asked.was ? "sign.again" : "sign.needed")}</p><${SignIn} onDone=${() => { announce(); onClose(true); }} /></${Dialog}>`;
}

/** Loads the model. Credentials that have ended are forgotten. */
async function begin() {
  await complete().catch(() => say(t("sign.expired"), "bad"));
  await load().catch((error) => {
    if (error.status !== 401) throw error;
    forget();
    ignoreCookies(true);
    return load();
  });
  if (model.signedIn && parts(location.hash).name === "~sign-in") go(backOf(location.hash), true); // from an identity provider
}

/** Loads the model of the caller, and takes care that the page has no other one. version changes with the caller: pages begin again. */
function useCaller() {
  const [state, setState] = useState("loading");
  const [asked, setAsked] = useState(null);
  const [version, setVersion] = useState(0);
  const start = () => {
    setState("loading");
    return begin().then(() => setState("ready"), setState);
  };
  const renew = () => setVersion((now) => now + 1);
  const anew = () => { // nothing of the caller before stays
    protect(null);
    forgetTitle();
    hush();
    setAsked(null);
    go("#/", true);
    renew();
  };
  const waiting = useRef(null); // for the caller to sign in
  const again = () => {
    if (!model || model.signIn.length === 0) return Promise.resolve(false);
    waiting.current ??= (() => {
      const one = { was: model.signedIn, person: personOf(expected()) };
      const promise = new Promise((resolve) => { one.resolve = resolve; });
      setAsked(one);
      return { ...one, promise };
    })();
    return waiting.current.promise;
  };
  const answer = async (isDone) => {
    const { was, person, resolve } = waiting.current;
    waiting.current = null;
    setAsked(null);
    const isOther = was && isDone && personOf(expected()) !== person;
    if (was && !isDone && !isProtected()) {
      await start();
      anew();
    } else if (isOther) {
      anew();
    }
    resolve(isDone && !isOther);
  };
  const react = async (kind) => {
    if (kind === "lost") return again();
    if (waiting.current) return answer(true);
    if (kind === "other") {
      anew();
      say(model.signedIn ? t("sign.other", { name: model.who?.name || t("sign.someone") }) : t("sign.left"));
    } else if (kind === "changed" && !isProtected()) {
      forgetTitle();
      renew();
    }
  };
  useLayoutEffect(() => {
    start();
    onUnauthorized(again);
    watch(react);
    loadAll();
  }, []);
  return { state, start, version, renew, anew, asked, answer };
}

/** Has Escape close the navigation of narrow screens. */
function useEscape(isOpen, setOpen) {
  useEffect(() => {
    if (!isOpen) return;
    const close = (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      setOpen(false);
      document.querySelector("button.menu").focus();
    };
    document.addEventListener("keydown", close, true); // before the key leaves the page of a record
    return () => document.removeEventListener("keydown", close, true);
  }, [isOpen]);
}

/** Moves the focus to another page that is opened, so that screen readers go on there. */
function useFocus(page) {
  const main = useRef(null);
  const last = useRef(page);
  useLayoutEffect(() => { // at once, or it would take the focus from an input that is in use already
    if (last.current === page) return;
    last.current = page;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page]);
  return main;
}

function App() {
  const hash = useHash();
  useTitles(); // they are everywhere
  const { state, start, version, renew, anew, asked, answer } = useCaller();
  const [open, setOpen] = useState(false);
  useEscape(open, setOpen);
  const main = useFocus(pageOf(hash));
  const { name } = state === "ready" ? parts(hash) : { name: "" };
  useEffect(() => {
    if (state !== "ready") return;
    setOpen(false);
    const resource = resourceOf(name);
    document.title = [resource?.plural, model.title].filter(Boolean).join(" · ");
  }, [hash, state, version]);

  if (state === "loading") return html`<main class="plain"><${Loading} /></main>`;
  if (state !== "ready") {
    return html`<main class="plain"><h1>${t("app.failed")}</h1><${Alert} error=${state}><button type="button" onClick=${start}>${t("app.again")}</button></${Alert}></main>`;
  }
  const leave = async () => {
    if (!(await mayLeave())) return;
    try {
      await signOut();
      announce();
      anew();
      say(t("sign.left"));
    } catch (error) {
      sayError(error);
    }
  };
  const signed = (to) => {
    announce();
    renew();
    go(to ? to : name === "~sign-in" ? backOf(hash) : hash || "#/");
  };
  const skip = (event) => {
    event.preventDefault();
    main.current.focus();
  };
  return html`<a class="skip" href="#main" onClick=${skip}>${t("app.skip")}</a>
    <${Header} open=${open} setOpen=${setOpen} onSignOut=${leave} />
    <div class="frame"><${Navigation} current=${name} open=${open} />
      <main id="main" tabindex="-1" ref=${main}><${Page} key=${version} hash=${hash} onSigned=${signed} /></main></div>
    <${Messages} />
    <${Keys} key=${`keys ${version}`} resource=${resourceOf(name)} isRecord=${parts(hash).ids.length > 0} resources=${listed()} onSignOut=${leave} />
    ${asked && html`<${Again} asked=${asked} onClose=${answer} />`}`;
}

render(html`<${App} />`, document.getElementById("app"));
