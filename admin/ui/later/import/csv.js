// Reads CSV files: their encoding, their delimiter, and in which line of the file each row begins.
import Papa from "../vendor/papaparse.js";
import { original } from "../export.js";
import { decimalMark } from "../../values.js";

export const MOST_BYTES = 20 << 20;
export const DELIMITERS = [",", ";", "\t", "|"];

/** Returns the text of a file: UTF-8 or UTF-16 with a byte order mark, else UTF-8, else Windows-1252, which spreadsheets write. */
export function decode(bytes) {
  const [a, b] = new Uint8Array(bytes.slice(0, 2));
  const marked = (a << 8) | b;
  if (marked === 0xfffe || marked === 0xfeff) return new TextDecoder(marked === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const LOOKED_AT = 64 << 10; // characters

/**
 * Returns the delimiter that all of the first lines have equally often, or else that the first line has most of. Where numbers
 * have a comma, a semicolon is more likely.
 */
function delimiterOf(text) {
  const lines = text.slice(0, LOOKED_AT).replace(/"(?:[^"]|"")*"/g, "").split("\n").filter((line) => line.trim() !== "").slice(0, 10);
  const score = (one) => {
    const [first = 0, ...rest] = lines.map((line) => line.split(one).length - 1);
    return first > 0 && rest.every((number) => number === first) ? first + LOOKED_AT : first;
  };
  const usual = decimalMark() === "," ? [";", ...DELIMITERS] : DELIMITERS;
  return usual.toSorted((a, b) => score(b) - score(a))[0];
}

/** Returns the header and the rows of a CSV text: {delimiter, header, rows: [{line, cells}], broken: the line of a quote without an end}. */
export function parse(source, chosen = "") {
  const text = source.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const [, declared = ""] = /^sep=(.)\n/.exec(text) ?? []; // Excel writes and reads it
  const delimiter = chosen || declared || delimiterOf(text);
  const { data, errors } = Papa.parse(text, { delimiter, newline: "\n" });
  let line = 1;
  const all = data.map((cells) => {
    const row = { line, cells: cells.map(original) };
    line += cells.reduce((sum, cell) => sum + cell.split("\n").length - 1, 1);
    return row;
  });
  const [head, ...rows] = all.slice(declared ? 1 : 0).filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const error = errors.find((one) => one.type === "Quotes");
  return { delimiter, header: head?.cells.map((one) => one.trim()) ?? [], rows, broken: error ? (all[error.row]?.line ?? 1) : null };
}
