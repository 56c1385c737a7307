// Puts the libraries that consist of very many small files into a few large ones: nearly half of a start was Node finding,
// reading and linking those files.
//
// libraries/ of a build holds a module for each specifier that the sources import, with the names that they import, over
// chunks that the modules share. The compiled sources import it from there, and everything else as usual.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

/**
 * Two copies of one library know nothing of each other. So whoever joins must not be looked up by its name at run time (as
 * TypeORM does with pg), and no library outside may import it. The rest of package.json stays outside.
 */
export const BUNDLED = [
  '@nestjs/bullmq',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  '@nestjs/throttler',
  '@nestjs/typeorm',
  'bullmq',
  'class-transformer',
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
  // What the bundled can work with and Parley does without: looked for at run time, and not found.
  '@fastify/multipart',
  '@fastify/view',
  '@nestjs/microservices',
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@valkey/valkey-glide',
  'class-transformer/storage',
  // Finds its pages beside itself.
  'swagger-ui-dist',
];

const LIBRARIES = 'libraries';
const IMPORT = /^(import|export) ([^'";]+?) from (['"])([^'"]+)\3/gm;

/** The imports of bundled libraries in a build: which names of which specifier. */
export class LibraryImports {
  /** specifier → names */
  names = new Map();

  /** Notes the imports of a compiled module, and returns it with those imports pointing to libraries/. */
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
      if (isBundled(specifier)) throw new Error(`${file}: ${statement}: a bundled library is imported by its names`);
    }
    return redirected;
  }

  /** Names what decides about the content of libraries/. */
  key() {
    const wanted = [...this.names].map(([specifier, names]) => [specifier, [...names].sort()]).sort();
    return createHash('sha256')
      .update(fs.readFileSync(path.join(root, 'package-lock.json')))
      .update(fs.readFileSync(fileURLToPath(import.meta.url)))
      .update(JSON.stringify(wanted))
      .digest('hex');
  }

  /** Writes libraries/ of a build, or copies that of another build if it is the same. */
  async bundle(directory, otherBuilds) {
    if (this.names.size === 0) return;
    const key = this.key();
    const keyFile = path.join(LIBRARIES, 'key');
    const same = otherBuilds.find((build) => readText(path.join(build, keyFile)) === key);
    try {
      if (same) return fs.cpSync(path.join(same, LIBRARIES), path.join(directory, LIBRARIES), { recursive: true });
    } catch {
      // It has been pruned meanwhile.
    }
    await runBundler(this.names, path.join(directory, LIBRARIES));
    fs.writeFileSync(path.join(directory, keyFile), key);
  }
}

async function runBundler(imports, directory) {
  // As its own command line does: a process of a second or two need not collect garbage, which is a fifth of its work.
  process.env.GOGC ??= 'off';
  const { build, stop } = await import('esbuild');
  const specifiers = [...imports.keys()];
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const outside = [...Object.keys(dependencies), ...OUTSIDE].filter((name) => !BUNDLED.includes(name));
  try {
    const { outputFiles } = await build({
      entryPoints: specifiers.map((specifier) => ({
        in: `library:${specifier}`,
        out: moduleOf(specifier).replace(/\.js$/, ''),
      })),
      outdir: directory,
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      // Nest, Swagger and TypeORM tell things by the names of classes; see namedClasses.
      keepNames: true,
      write: false,
      external: outside.flatMap((name) => [name, `${name}/*`]),
      banner: {
        js: "import { createRequire as createRequireHere } from 'node:module'; const require = createRequireHere(import.meta.url);",
      },
      plugins: [namedModules(imports), visibleRequires],
      logLevel: 'silent',
    });
    if (!outputFiles.some(({ text }) => text.includes(NAMES)))
      throw new Error('the bundler names things in another way');
    for (const { path: file, text } of outputFiles) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, namedClasses(text));
    }
  } finally {
    await stop();
  }
}

const NAMES = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';

/**
 * Keeps the names of classes and not those of functions: the bundler names each function anew whenever the one around it
 * runs, and that was a sixteenth of the work of a request.
 */
function namedClasses(code) {
  return code
    .replace(NAMES, 'var __name = (target) => target;')
    .replace(
      /(static \{\s*)__name\(this, ("\w+")\)/g,
      '$1Object.defineProperty(this, "name", { value: $2, configurable: true })',
    );
}

/** The entry points: each exports the names that are wanted of one library. */
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

/** These ES modules of Nest's make a `require` of their own, and the bundler cannot see what they load with it. */
const visibleRequires = {
  name: 'visible requires',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]@nestjs[\\/](?:mapped-types|typeorm)[\\/]dist[\\/]/ }, async ({ path: file }) => {
      const code = await fs.promises.readFile(file, 'utf8');
      return { contents: code.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '') };
    });
  },
};

function isBundled(specifier) {
  return BUNDLED.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}

/** `A, B` of `{ A, B as C }`, `default` of `A`; an import of anything else is an error. */
function namesOf(clause, statement) {
  if (/^\w+$/.test(clause)) return ['default'];
  const list = /^\{([^}]*)\}$/.exec(clause.trim())?.[1];
  if (list === undefined) throw new Error(`${statement}: a bundled library is imported by its names`);
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
