// What the browser keeps for the page, as JSON. Where its storage is off or full, values last as long as the page.

/** A storage of the browser, by the name of its global variable. */
class Storage {
  constructor(name) {
    this.name = name;
    this.own = new Map(); // what the browser does not keep
  }

  /** Returns the value of a key, null if there is none or another program has kept something else. */
  read(key) {
    if (this.own.has(key)) return this.own.get(key);
    try {
      return JSON.parse(globalThis[this.name].getItem(key));
    } catch {
      return null;
    }
  }

  /** Keeps the value of a key. Reports whether it lasts longer than the page. */
  keep(key, value) {
    this.own.delete(key);
    try {
      globalThis[this.name].setItem(key, JSON.stringify(value));
      return true;
    } catch {
      this.own.set(key, value);
      return false;
    }
  }

  forget(key) {
    this.own.delete(key);
    try {
      globalThis[this.name].removeItem(key);
    } catch {
      // nothing is kept
    }
  }
}

/** For all tabs, until people clear it. */
export const browser = new Storage("localStorage");

/** For this tab, until it is closed. */
export const tab = new Storage("sessionStorage");
