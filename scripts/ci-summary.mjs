// What .ci/run prints in the end: what took longest, what failed and why, in few lines, and the count.

const DETAILED = 10;
const MAX_WIDTH = 200;
const MAX_VALUES = 10;
const SLOWEST = 10;

/** What fast-check says. A repetition draws the same values, and hardly tells more. */
const PROPERTY_FAILED = 'Property failed after';
/** As in test/support/guard-failure.ts. */
const GUARD_FOUND = 'A guard of all tests found';

/** Whether a test file with these failures may have failed by chance, so that repeating it tells. */
export function mayBeChance(file, failures) {
  if (file.endsWith('.property.spec.ts') || file.startsWith('test/http/fuzz')) return false;
  return !failures.some(({ message }) => message.includes(PROPERTY_FAILED) || message.includes(GUARD_FOUND));
}

/**
 * The closing lines.
 *
 * @param failed what failed, as `{ name, lines }`: a name such as `STEP › FILE › TITLE`, and what to know about it
 * @param unsteady likewise, what passed when it was repeated
 * @param times of test files, as `{ name, seconds }`
 */
export function closingLines({ failed, unsteady, passed, times }) {
  const slowest = times.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
  return [
    ...slowest.slice(0, SLOWEST).map(({ name, seconds }) => `slowest: ${seconds} s, ${name}`),
    ...failed.flatMap(({ name, lines }, index) => [`failed: ${name}`, ...indented(index < DETAILED ? lines : [])]),
    ...unsteady.flatMap(({ name, lines }) => [`unsteady: ${name}`, ...indented(lines)]),
    `${passed} passed, ${failed.length} failed`,
  ];
}

/** The reason's first line, what was expected and received (or else the difference), and where in `file`. */
export function reasonLines(file, message) {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  const values = lines.filter((line) => /^\s*(?:Expected|Received)\b[^:]*:/.test(line));
  const difference = lines.filter((line) => /^\s*[-+] /.test(line));
  const places = lines.flatMap((line) => placeIn(line) ?? []);
  const place = places.find((one) => one.startsWith(`${file}:`)) ?? places[0];
  const shown = (values.length > 0 ? values : difference).slice(0, MAX_VALUES);
  return [...lines.slice(0, 1), ...shown, ...(place ? [place] : [])];
}

/** `file:line` in a line of a stack trace, unless it is in a library. */
function placeIn(line) {
  const [, file, number] = /^\s+at .*?(?:file:\/\/)?(\/[^():]+):(\d+):\d+\)?$/.exec(line) ?? [];
  if (file === undefined || file.includes('/node_modules/')) return undefined;
  return `${file.replace(`${process.cwd()}/`, '')}:${number}`;
}

function indented(lines) {
  return lines.map((line) => `  ${line.trim().slice(0, MAX_WIDTH)}`);
}
