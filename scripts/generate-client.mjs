// Writes clients/typescript/src/generated from docs/openapi.json; `--check` only says what differs.
import fs from 'node:fs';
import path from 'node:path';
import { ensureInstalled, root } from './install.mjs';

const DESCRIPTION = 'docs/openapi.json';
const FOLDER = 'clients/typescript/src/generated';
const NOTICE = '// Written by scripts/generate-client.mjs from docs/openapi.json. Do not edit by hand.\n';
/** Its routes are called by the messaging network, never by a customer. */
const NOT_FOR_CUSTOMERS = 'network';
/** The group of an operation is the first part of its id; this is what it says about itself. */
const tagOf = (group) => group.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The description without what customers never call, and without schemas that nothing refers to. */
function readDescription() {
  const whole = JSON.parse(fs.readFileSync(path.join(root, DESCRIPTION), 'utf8'));
  const paths = Object.fromEntries(
    Object.entries(whole.paths).filter(([, item]) =>
      Object.values(item).every(({ tags = [] }) => !tags.includes(NOT_FOR_CUSTOMERS)),
    ),
  );
  const description = { ...whole, paths };
  const text = JSON.stringify(description);
  const used = Object.entries(whole.components.schemas).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  );
  return { ...description, components: { ...whole.components, schemas: Object.fromEntries(used) } };
}

/** Every operation with its id split in two, in the order of the description. */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([route, item]) =>
    Object.entries(item)
      .filter(([, operation]) => !isStream(operation))
      .map(([method, operation]) => {
        const [group, name] = operation.operationId.split('.');
        return { ...operation, id: operation.operationId, group, name, route, method: method.toUpperCase() };
      }),
  );
}

/** Only pages of Parley read streams, and as they come. */
const isStream = (operation) => 'text/event-stream' in (successOf(operation).content ?? {});

const successOf = ({ responses }) => Object.entries(responses).find(([status]) => /^2/.test(status))[1];
/** `json`, `csv` or, for bytes of any type, `file`. */
const answerOf = (operation) => {
  const { content } = successOf(operation);
  return 'text/csv' in content ? 'csv' : '*/*' in content ? 'file' : 'json';
};
const jsonAnswer = (operation) => successOf(operation).content['application/json'].schema;
const nameOf = ({ $ref }) => $ref?.split('/').at(-1);

/** The field with the rows if the answer is a page of a list; else undefined. */
function rowsOf(operation, { components }) {
  if (answerOf(operation) !== 'json') return undefined;
  const { properties = {} } = components.schemas[nameOf(jsonAnswer(operation))] ?? {};
  if (!properties.next_cursor || !properties.total) return undefined;
  return Object.keys(properties).find((field) => properties[field].type === 'array');
}

/** `json`, `csv`, `form` or undefined. */
function bodyOf({ requestBody }) {
  if (!requestBody) return undefined;
  if ('application/json' in requestBody.content) return 'json';
  return 'text/csv' in requestBody.content ? 'csv' : 'form';
}

function operationsFile(description, version) {
  const lines = operationsOf(description).map((operation) => {
    const fields = {
      method: operation.method,
      path: operation.route,
      body: bodyOf(operation),
      answer: answerOf(operation),
    };
    const listed = Object.entries(fields).filter(([, value]) => value !== undefined);
    return `  '${operation.id}': { ${listed.map(([key, value]) => `${key}: '${value}'`).join(', ')} },`;
  });
  return `${NOTICE}
/** The version of this client, which is that of the Parley it was generated with. */
export const VERSION = '${version}';

/** How an operation is called. \`{…}\` in \`path\` are its path parameters, in the order of its method's arguments. */
export interface OperationRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: 'json' | 'csv' | 'form';
  readonly answer: 'json' | 'csv' | 'file';
}

export const OPERATIONS = {
${lines.join('\n')}
} as const satisfies Readonly<Record<string, OperationRoute>>;

/** The id of an operation, such as \`contacts.create\`. */
export type OperationId = keyof typeof OPERATIONS;
`;
}

const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const className = (group) => `${group[0].toUpperCase()}${group.slice(1)}`;

/** The arguments of a method, in order: declaration, and what is passed on. */
function argumentsOf(operation, rows) {
  const path = [...operation.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => camelCase(name));
  const declared = path.map((name) => `${name}: string`);
  const passed = path.length > 0 ? [`path: [${path.join(', ')}]`] : [];
  const body = bodyOf(operation);
  if (body === 'csv') {
    declared.push('csv: CsvFile');
    passed.push('body: csv');
  } else if (body === 'form') {
    declared.push('file: MediaFile');
    passed.push('body: file');
  } else if (body === 'json') {
    const { required, content } = operation.requestBody;
    declared.push(`body${required ? '' : '?'}: ${nameOf(content['application/json'].schema)}`);
    passed.push('body');
  }
  if (operation.parameters?.some((parameter) => parameter.in === 'query')) {
    declared.push(`query: QueryOf<'${operation.id}'> = {}`);
    if (!rows) passed.push('query');
  }
  declared.push(`options: ${operation.method === 'POST' ? 'PostOptions' : 'RequestOptions'} = {}`);
  passed.push('options');
  return { declared: declared.join(', '), passed: `{ ${passed.join(', ')} }` };
}

const DOWNLOADS = { csv: 'CsvDownload', file: 'FileDownload' };
const DOWNLOAD_METHODS = { csv: 'download', file: 'downloadFile' };

function methodOf(operation, description) {
  const rows = rowsOf(operation, description);
  const { declared, passed } = argumentsOf(operation, rows);
  const { id, name } = operation;
  const kind = answerOf(operation);
  const answer = DOWNLOADS[kind] ?? nameOf(jsonAnswer(operation)) ?? `AnswerOf<'${id}'>`;
  if (!rows) {
    return `${commentOf(operation)}
  ${name}(${declared}): ApiCall<${answer}> {
    return new ApiCall(this.transport.${kind === 'json' ? `request<${answer}>` : DOWNLOAD_METHODS[kind]}('${id}', ${passed}));
  }`;
  }
  const fetchPage = passed.replace('options }', 'query: page, options }');
  return `${commentOf(operation, 'Await it for one page, or iterate over it for every row of all pages.')}
  ${name}(${declared}): ApiList<${answer}, '${rows}'> {
    return new ApiList('${rows}', query, (page) => this.transport.request<${answer}>('${id}', ${fetchPage}));
  }`;
}

/** Summary, description and the errors that only this operation has. */
function commentOf({ summary, description, responses, method, route }, more) {
  const errors = Object.entries(responses)
    .filter(([status, { $ref }]) => !/^2/.test(status) && !$ref)
    .map(([status, response]) => `@throws {@link ParleyError} ${status}: ${response.description}`);
  const text = [`${summary}: \`${method} ${route}\`.`, description, more].filter(Boolean).join('\n\n');
  const lines = [...text.split('\n'), ...(errors.length > 0 ? ['', ...errors] : [])];
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */`;
}

function resourcesFile(description) {
  const operations = operationsOf(description);
  const groups = new Map();
  for (const one of operations) groups.set(one.group, [...(groups.get(one.group) ?? []), one]);
  const classes = [...groups].map(([group, members]) => {
    const about = description.tags.find(({ name }) => name === tagOf(group))?.description ?? className(group);
    return `/** ${about}. */
export class ${className(group)} {
  constructor(private readonly transport: Transport) {}

${members.map((member) => methodOf(member, description)).join('\n\n')}
}
`;
  });
  const code = classes.join('\n');
  const imported = Object.keys(description.components.schemas).filter((name) =>
    new RegExp(`(?:: |<)${name}\\b`).test(code),
  );
  return `${NOTICE}
import { ApiCall } from '../api-call.js';
import { ApiList } from '../api-list.js';
import type { CsvDownload, CsvFile } from '../csv-file.js';
import type { FileDownload } from '../file-download.js';
import type { MediaFile } from '../media-file.js';
import type { AnswerOf, QueryOf } from '../operation-types.js';
import type { PostOptions, RequestOptions } from '../request-options.js';
import type { Transport } from '../transport.js';
import type {
${imported.map((name) => `  ${name},`).join('\n')}
} from './schema.js';

${code}
/** Every group of operations. */
export class Resources {
${[...groups.keys()].map((group) => `  readonly ${group}: ${className(group)};`).join('\n')}

  constructor(transport: Transport) {
${[...groups.keys()].map((group) => `    this.${group} = new ${className(group)}(transport);`).join('\n')}
  }
}
`;
}

async function schemaFile(description) {
  const { astToString, default: openapiTypescript } = await import('openapi-typescript');
  const types = await openapiTypescript(structuredClone(description), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return `${NOTICE}\n${astToString(types)}`;
}

await ensureInstalled({ development: true });
const description = readDescription();
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'clients/typescript/package.json'), 'utf8'));
const files = {
  'schema.ts': await schemaFile(description),
  'operations.ts': operationsFile(description, version),
  'resources.ts': resourcesFile(description),
};
for (const [name, wanted] of Object.entries(files)) {
  const file = path.join(root, FOLDER, name);
  if (!process.argv.includes('--check')) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, wanted);
  } else if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== wanted) {
    console.log(`${FOLDER}/${name} is out of date: run node scripts/generate-client.mjs`);
    process.exitCode = 1;
  }
}
