// Bundles libraries that consist of many small files into a few large ones: finding, reading and linking those files
// took nearly half of the startup time.
//
// The libraries/ directory of a build contains one module per imported specifier, with only the imported names, and
// shared chunks. The compiled sources import these libraries from there and all others as usual.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

/**
 * The libraries to bundle. A second copy of a library would not share its state, so a library listed here must not be
 * loaded by name at run time (as TypeORM loads pg) or imported by a library outside. The rest of package.json is not
 * bundled.
 */
export const BUNDLED = [
  // A part of prom-client, so it is loaded at every start. The SDK outside has a copy of its own: the two meet in global
  // symbols, as this library intends.
  '@opentelemetry/api',
  '@nestjs/bullmq',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  '@nestjs/throttler',
  '@nestjs/typeorm',
  'bullmq',
  'class-validator',
  'fastify',
  'file-type',
  'ioredis',
  'libphonenumber-js',
  'prom-client',
  'rxjs',
  'typeorm',
  'undici',
  'uuid',
];

const OUTSIDE = [
  // Optional packages that Parley does not use. The bundled libraries look for them at run time and do not find them.
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@valkey/valkey-glide',
  'class-transformer',
  // Serves files from its own directory.
  'swagger-ui-dist',
];

const LIBRARIES = 'libraries';
const NAMED_ONLY = 'import from a bundled library by name, without import * or import()';
const IMPORT = /^(import|export) ([^'";]+?) from (['"])([^'"]+)\3/gm;

/** Collects the names that a build imports from bundled libraries. */
export class LibraryImports {
  /** specifier → names */
  names = new Map();

  /** Records the imports of a compiled module, and returns it with these imports redirected to libraries/. */
  redirect(code, file) {
    const toRoot = path.posix.relative(path.posix.dirname(file), '.');
    const redirected = code.replace(IMPORT, (statement, keyword, clause, quote, specifier) => {
      if (!isBundled(specifier)) return statement;
      const known = this.names.get(specifier) ?? new Set();
      for (const name of namesOf(clause, `${file}: ${statement}`)) known.add(name);
      this.names.set(specifier, known);
      return `${keyword} ${clause} from ${quote}${toRoot}/${LIBRARIES}/${moduleOf(specifier)}${quote}`;
    });
    const missed = /(?:\bfrom|\bimport|\bimport\()\s*['"]([^'"]+)['"]/g;
    for (const [statement, specifier] of redirected.matchAll(missed)) {
      if (isBundled(specifier)) throw new Error(`${file}: ${statement}: ${NAMED_ONLY}`);
    }
    return redirected;
  }

  /** A hash of everything that determines the content of libraries/. */
  key() {
    const imports = [...this.names].map(([specifier, names]) => [specifier, [...names].sort()]).sort();
    return createHash('sha256')
      .update(fs.readFileSync(path.join(root, 'package-lock.json')))
      .update(fs.readFileSync(fileURLToPath(import.meta.url)))
      .update(JSON.stringify(imports))
      .digest('hex');
  }

  /** Writes the libraries/ directory of a build, or copies it from another build with the same key. */
  async bundle(directory, otherBuilds) {
    if (this.names.size === 0) return;
    const key = this.key();
    const keyFile = path.join(LIBRARIES, 'key');
    const same = otherBuilds.find((build) => readText(path.join(build, keyFile)) === key);
    try {
      if (same) return fs.cpSync(path.join(same, LIBRARIES), path.join(directory, LIBRARIES), { recursive: true });
    } catch {
      // The other build has just been pruned.
    }
    await runBundler(this.names, path.join(directory, LIBRARIES));
    fs.writeFileSync(path.join(directory, keyFile), key);
  }
}

async function runBundler(imports, directory) {
  // Like esbuild's own command line: its process lives a second or two, and garbage collection is a fifth of its work.
  process.env.GOGC ??= 'off';
  const { build, stop } = await import('esbuild');
  const specifiers = [...imports.keys()];
  try {
    const { outputFiles } = await build({
      ...bundleOptions(),
      entryPoints: specifiers.map((specifier) => ({
        in: `library:${specifier}`,
        out: moduleOf(specifier).replace(/\.js$/, ''),
      })),
      outdir: directory,
      chunkNames: 'chunks/[name]-[hash]',
      splitting: true,
      format: 'esm',
      banner: {
        js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
      },
      plugins: [namedModules(imports), visibleRequires],
    });
    if (!outputFiles.some(({ text }) => text.includes(NAME_HELPER)))
      throw new Error('esbuild has changed its __name helper: update NAME_HELPER in scripts/libraries.mjs');
    for (const { path: file, text } of outputFiles) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, keepClassNamesOnly(text));
    }
  } finally {
    await stop();
  }
}

/** Options of esbuild that every bundle has. @param without packages that are bundled too */
export function bundleOptions({ without = [] } = {}) {
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const outside = [...Object.keys(dependencies), ...OUTSIDE].filter(
    (name) => !BUNDLED.includes(name) && !without.includes(name),
  );
  return {
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    // Nest, Swagger and TypeORM rely on class names; see keepClassNamesOnly.
    keepNames: true,
    write: false,
    external: outside.flatMap((name) => [name, `${name}/*`]),
    plugins: [visibleRequires],
    logLevel: 'silent',
  };
}

const NAME_HELPER = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';

/**
 * Keeps the names of classes but not those of functions: esbuild sets the name of an inner function each time the outer
 * one runs, which was a sixteenth of the CPU time of a request.
 */
export function keepClassNamesOnly(code) {
  return code
    .replace(NAME_HELPER, 'var __name = (target) => target;')
    .replace(
      /(static \{\s*)__name\(this, ("\w+")\)/g,
      '$1Object.defineProperty(this, "name", { value: $2, configurable: true })',
    );
}

/** The entry points: each exports the imported names of one specifier. */
function namedModules(imports) {
  return {
    name: 'named modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^library:/ }, ({ path: entry }) => ({ namespace: 'library', path: entry.slice(8) }));
      onLoad({ filter: /./, namespace: 'library' }, ({ path: specifier }) => ({
        contents: `export { ${[...imports.get(specifier)].join(', ')} } from ${JSON.stringify(specifier)};`,
        resolveDir: root,
      }));
    },
  };
}

/** Some of Nest's ES modules create their own `require`, which hides from esbuild what they load. */
const visibleRequires = {
  name: 'visible requires',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@nestjs[\\/](?:mapped-types|typeorm)[\\/]dist[\\/]/ }, async ({ path: file }) => {
      const code = await fs.promises.readFile(file, 'utf8');
      return { contents: code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '') };
    });
  },
};

/** Whether a specifier belongs to a bundled library. */
export function isBundled(specifier) {
  return BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** The names in an import clause: `A` and `B` for `{ A, B as C }`, `default` for `A`; throws for any other clause. */
function namesOf(clause, statement) {
  if (/^\w+$/.test(clause)) return ['default'];
  const list = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  if (list === undefined) throw new Error(`${statement}: ${NAMED_ONLY}`);
  return list.split(',').flatMap((item) => item.trim().split(/\s+as\s+/)[0] || []);
}

function moduleOf(specifier) {
  return specifier.endsWith('.js') ? specifier : `${specifier}.js`;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
