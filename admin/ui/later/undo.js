// What a message offers after a change: to undo it, if that loses nothing of others.
import { conditions, send, sendCurrent } from "../api.js";
import { parameterOf, pathFor } from "../model.js";
import { say, sayError } from "../dialog.js";
import { t } from "../texts.js";

/** Returns the operation that takes a record out of the trash, undefined without a trash. */
export const restoreOf = (resource) => (parameterOf(resource.get, "deleted") ? resource.custom.find((one) => one.item && !one.input && /^restore/.test(one.id)) : undefined);

/** Returns a button that is there again if the server could not be reached. */
function button(run) {
  const own = { title: t("undo.undo"), run: () => run().catch((error) => {
    if (error.status === 0) say(error.message, { kind: "bad", action: own });
    else sayError(error.status === 412 ? new Error(t("undo.late")) : error);
  }) };
  return own;
}

function restore(resource, path) {
  const operation = restoreOf(resource);
  const trash = parameterOf(resource.get, "deleted");
  return sendCurrent(operation.method, pathFor(operation, path), `${path}?${trash.name}=only`, { headers: conditions(operation, null) });
}

/** Returns the button that restores a deleted record, null if there is no way. onDone is called when it is back. */
export function undoDelete(resource, path, title, onDone) {
  if (!restoreOf(resource)) return null;
  return button(async () => {
    await restore(resource, path);
    say(t("undo.restored", { title }));
    onDone();
  });
}

/** Returns the button that restores several deleted records, null if there is no way. */
export function undoDeletes(resource, paths, onDone) {
  if (!restoreOf(resource)) return null;
  return button(async () => {
    try {
      for (const path of paths) await restore(resource, path);
      say(t("undo.several"));
    } finally {
      onDone();
    }
  });
}

/** Returns the button that undoes an edit by a body with the values before, null if there is no way. etag is that of the edited record. */
export function undoEdit(operation, path, body, etag, onDone) {
  if (!etag || !operation.ifMatch) return null;
  return button(async () => {
    await send(operation.method, pathFor(operation, path), { body, type: operation.contentType, headers: conditions(operation, etag) });
    say(t("undo.edited"));
    onDone();
  });
}
