// Runs a program with the variables of a file, read as systemd reads an EnvironmentFile. A shell would expand `$` and
// run what stands in backquotes.
//
//   node scripts/with-environment-file.mjs /etc/parley/environment dist/src/cli.js accounts list
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const BLANK = /[ \t\r]/;
/** What a backslash within double quotes stands before to be left out itself. */
const ESCAPED_IN_QUOTES = '"\\`$';

/**
 * The variables of a file, as systemd.exec(5) describes: quotes at the start of a value, or after others, are removed;
 * those within it stay. A backslash makes the next character plain, and continues a line at its end.
 */
function variablesOf(text) {
  const reader = { text, at: 0 };
  const variables = {};
  while (reader.at < text.length) {
    const char = text[reader.at];
    if (BLANK.test(char) || char === '\n') reader.at += 1;
    else if (char === '#' || char === ';') skipComment(reader);
    else {
      const name = readName(reader);
      if (name === null) continue;
      const value = readValue(reader);
      if (NAME.test(name)) variables[name] = value;
    }
  }
  return variables;
}

/** A backslash at its end continues a comment, too. */
function skipComment(reader) {
  while (reader.at < reader.text.length && reader.text[reader.at] !== '\n') {
    reader.at += reader.text[reader.at] === '\\' ? 2 : 1;
  }
}

/** Null for a line without `=`, which is ignored. */
function readName(reader) {
  const [line] = reader.text.slice(reader.at).split('\n', 1);
  const end = line.indexOf('=');
  reader.at += end === -1 ? line.length : end + 1;
  return end === -1 ? null : line.slice(0, end).trimEnd();
}

function readValue(reader) {
  let value = '';
  for (;;) {
    const char = reader.text[reader.at];
    if (char === undefined || char === '\n') return value;
    reader.at += 1;
    if (char === "'") value += readQuoted(reader, "'");
    else if (char === '"') value += readQuoted(reader, '"');
    else if (!BLANK.test(char)) return value + readPlain(reader, char);
  }
}

function readQuoted(reader, quote) {
  let value = '';
  while (reader.at < reader.text.length) {
    const char = reader.text[reader.at++];
    if (char === quote) break;
    if (char !== '\\' || quote === "'") value += char;
    else {
      const next = reader.text[reader.at++] ?? '';
      if (next !== '\n') value += ESCAPED_IN_QUOTES.includes(next) ? next : `\\${next}`;
    }
  }
  return value;
}

/** The rest of a value that does not begin with a quote, from `char` on. Blanks at its end are not part of it. */
function readPlain(reader, char) {
  let value = '';
  let length = 0;
  for (let next = char; next !== undefined && next !== '\n'; next = reader.text[reader.at++]) {
    if (next !== '\\') value += next;
    else {
      const escaped = reader.text[reader.at++] ?? '';
      value += escaped === '\n' ? '' : escaped;
    }
    if (next === '\\' || !BLANK.test(next)) length = value.length;
  }
  return value.slice(0, length);
}

const [, , file, program, ...args] = process.argv;
if (file === undefined || program === undefined) {
  console.error('usage: node scripts/with-environment-file.mjs FILE PROGRAM [ARGUMENT]…');
  process.exit(2);
}
Object.assign(process.env, variablesOf(fs.readFileSync(file, 'utf8')));
process.argv = [process.execPath, path.resolve(program), ...args];
await import(pathToFileURL(path.resolve(program)).href);
