// Checks the bill of materials of the production dependencies: each has a version, a checksum, and a licence that does not
// bind whoever runs or changes Parley. Works offline, from package-lock.json.
//
//   node scripts/licences.mjs                    check
//   node scripts/licences.mjs --out bom.json     check, and write it (CycloneDX)
//   node scripts/licences.mjs --from bom.json    check one that was written elsewhere, such as that of an image
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { root } from './install.mjs';

/** All permissive. A licence that is not here is a decision, not a formality. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'PostgreSQL',
  'Python-2.0',
]);

function argument(name) {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : undefined;
}

/** Of everything that is in production, for every platform. */
function billOfMaterials() {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  // Under `npm run` this is the very npm that called us; PATH may hold another one, or none.
  const cli = process.env.npm_execpath ?? '';
  const [command, list] = /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
  const { status, stdout, stderr, error } = spawnSync(command, list, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`npm sbom failed:\n${error?.message ?? stderr.trim()}`);
  const bill = JSON.parse(stdout);
  // Its own --omit=dev also leaves out what both production and development need.
  const isProduction = ({ properties = [] }) => !properties.some(({ name }) => name === 'cdx:npm:package:development');
  const components = bill.components.filter(isProduction);
  const kept = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  return { ...bill, components, dependencies };
}

/** What is wrong with one component, as sentences. */
function faults({ name, version, licenses = [], hashes = [] }) {
  const known = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
  const found = [];
  if (!version) found.push(`${name} has no version`);
  if (hashes.length === 0) found.push(`${name} ${version} has no checksum`);
  if (known.length === 0) found.push(`${name} ${version} names no licence`);
  for (const licence of known) {
    if (!isAllowed(licence)) found.push(`${name} ${version} has the licence ${licence}, which is not on the list`);
  }
  return found;
}

/** Of alternatives (`A OR B`) one will do; of licences that hold together (`A AND B`), all must be on the list. */
function isAllowed(expression) {
  return expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((licence) => ALLOWED.has(licence.trim())));
}

try {
  const from = argument('--from');
  const bill = from ? JSON.parse(fs.readFileSync(from, 'utf8')) : billOfMaterials();
  const { bomFormat, components = [] } = bill;
  if (bomFormat !== 'CycloneDX' || components.length === 0)
    throw new Error('the bill of materials lists no components');
  const found = components.flatMap(faults);
  if (found.length > 0) {
    throw new Error(
      `${found.join('\n')}\nChoose another package, or decide about the licence in scripts/licences.mjs.`,
    );
  }
  const out = argument('--out');
  if (out) fs.writeFileSync(out, `${JSON.stringify(bill, null, 2)}\n`);
  console.log(`${components.length} production dependencies, all under permissive licences`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
