// The assertions of node:assert, which count those that hold. report prints how many.
import strict from "node:assert/strict";

let passed = 0;

const counted = (check) => (...args) => {
  const result = check(...args);
  if (result instanceof Promise) return result.then(() => void passed++);
  passed++;
};

const assert = counted(strict);
for (const name of ["ok", "equal", "deepEqual", "match", "rejects"]) assert[name] = counted(strict[name]);
assert.fail = strict.fail;

export default assert;

export function report(what) {
  console.log(`${what}: ${passed} checks passed`);
}
