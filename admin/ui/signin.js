// Sessions: their begin and their end.
import { Failure, conditions, ignoreCookies, send } from "./api.js";
import { forget, keep } from "./credentials.js";
import { fieldsOfInput } from "./kinds.js";
import { load } from "./caller.js";
import { model } from "./model.js";
import { forgetTitle } from "./titles.js";
import { say } from "./dialog.js";
import { t } from "./texts.js";

/** Loads the model with the new credentials. Invalid ones are forgotten. */
export async function enter(onDone) {
  ignoreCookies(false);
  try {
    await load();
  } catch (error) {
    forget();
    throw error;
  }
  forgetTitle();
  if (!model.signedIn) {
    forget();
    throw new Failure(401, null, null);
  }
  say(t("sign.done"));
  onDone();
}

/** Begins a session with the form to sign in, and the body that it makes. */
export async function begins({ operation, token: name }, body) {
  const response = await send(operation.method, operation.path, { body, type: operation.contentType, quiet: true, credentials: false, headers: conditions(operation) });
  const token = response.body?.[name];
  if (typeof token === "string") keep("Authorization", `Bearer ${token}`, 0);
  else forget();
}

/** Returns the names of the fields with which people who create a record of a resource could sign in; null if it is no registration. */
function namesOf(resource) {
  const form = model.signedIn ? null : model.signIn.find((one) => one.kind === "form");
  if (!form || !resource.create?.input) return null;
  const names = fieldsOfInput(form.operation).map((one) => one.name);
  const taken = fieldsOfInput(resource.create, resource).map((one) => one.name);
  return names.some((name) => /password|secret/i.test(name)) && names.every((name) => taken.includes(name)) ? names : null;
}

/** Reports whether to create a record of a resource is to register: its values are those of the form to sign in. */
export const isRegistration = (resource) => namesOf(resource) !== null;

/** Signs in with the values of a registration. Reports whether that has succeeded: an account may have to be confirmed first. */
export async function enterAs(resource, values, onDone) {
  const names = namesOf(resource);
  if (!names) return false;
  try {
    await begins(model.signIn.find((one) => one.kind === "form"), Object.fromEntries(names.map((name) => [name, values[name]])));
    await enter(onDone);
    return true;
  } catch {
    return false;
  }
}

/** Ends the session, and forgets the token. */
export async function signOut() {
  if (model.signOut) {
    const body = model.signOut.input ? {} : undefined;
    await send(model.signOut.method, model.signOut.path, { body, type: model.signOut.contentType, quiet: true }).catch((error) => {
      if (error.status !== 401) throw error;
    });
  }
  forget();
  forgetTitle();
  await load();
}

