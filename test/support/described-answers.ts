import { readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ReadAnswer } from './exchange.js';
import { FILE_CHECKS } from './file-checks.js';
import { guardFailure } from './guard-failure.js';

interface Response {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}

type Json = { [key: string]: unknown };

/** What a request with a body can be answered with, although routes that take none do not list it. */
const ABOUT_BODIES = [413, 415];

interface Answer extends ReadAnswer {
  /** The content type without parameters. */
  readonly type: string;
}

/** docs/openapi.json; when the tests run with extensions, what the same generator writes for them all. */
export const readDescription = () => JSON.parse(readFileSync(String(process.env.TEST_DESCRIPTION), 'utf8'));

/** Holds answers against the description of the API. A field that is not described is wrong, as a missing one is. */
export class DescribedAnswers {
  private readonly faults = new Set<string>();
  private description: Description | null = null;

  /** Remembers what is wrong with an answer of a described route. */
  check(method: string, url: string, { status, headers, text }: ReadAnswer): void {
    this.description ??= new Description();
    const type = headers.get('content-type')?.split(';')[0] ?? '';
    for (const fault of this.description.faultsOf(method, url, { status, headers, type, text })) this.faults.add(fault);
  }

  /** @throws Error that names every answer that docs/openapi.json does not describe */
  verify(): void {
    const faults = [...this.faults];
    this.faults.clear();
    if (faults.length > 0) throw guardFailure(`answers not as docs/openapi.json describes them:\n${faults.join('\n')}`);
  }
}

class Description {
  private readonly document: {
    paths: Record<string, Record<string, Operation>>;
    components: { headers: object };
  };
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: { path: string; segments: string[]; statics: number }[];

  constructor() {
    this.document = readDescription();
    closeObjects(this.document as unknown as Json);
    this.ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    this.ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
    this.ajv.addSchema(this.document, 'parley');
    this.routes = Object.keys(this.document.paths)
      .map((route) => ({ path: route, segments: route.split('/') }))
      .map((route) => ({ ...route, statics: route.segments.filter((segment) => !segment.startsWith('{')).length }))
      .sort((one, other) => other.statics - one.statics);
  }

  faultsOf(method: string, url: string, answer: Answer): string[] {
    const route = this.routeOf(url);
    const operation = route === null ? undefined : this.document.paths[route]?.[method.toLowerCase()];
    if (route === null || operation === undefined) return [];
    const { status, text } = answer;
    const name = `${operation.operationId} ${status}`;
    const response = operation.responses[status];
    if (response === undefined) {
      return ABOUT_BODIES.includes(status) ? [] : [`${name}: the status is not described (${text.slice(0, 200)})`];
    }
    const pointer = response.$ref?.slice(1) ?? pointerTo('paths', route, method.toLowerCase(), 'responses', status);
    const { content, headers = {} } = this.at(pointer) as Response;
    const fault = this.bodyFault(pointer, content, answer);
    return [
      ...(fault === null ? [] : [`${name}: ${fault}`]),
      ...Object.keys(this.document.components.headers)
        .filter((header) => answer.headers.has(header) && !(header in headers))
        .map((header) => `${name}: the header ${header} is not described`),
    ];
  }

  private bodyFault(pointer: string, content: Response['content'], { type, text }: Answer): string | null {
    if (content === undefined) return text === '' ? null : `no body is described (${text.slice(0, 200)})`;
    if (content[type] === undefined) return `${type} is not described`;
    if (!type.endsWith('json')) return null;
    const validate = this.validator(`${pointer}${pointerTo('content', type, 'schema')}`);
    if (validate(JSON.parse(text))) return null;
    const errors = validate.errors?.map(({ instancePath, message, params }) => {
      return `${instancePath} ${message} ${JSON.stringify(params)}`;
    });
    return [...new Set(errors)].slice(0, 5).join('; ');
  }

  private routeOf(url: string): string | null {
    const segments = (url.split('?')[0] ?? '').replace(/(.)\/$/, '$1').split('/');
    const fits = (pattern: readonly string[]): boolean =>
      pattern.length === segments.length &&
      pattern.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]));
    return this.routes.find((route) => fits(route.segments))?.path ?? null;
  }

  private at(pointer: string): unknown {
    const keys = pointer
      .split('/')
      .slice(1)
      .map((key) => key.replace(/~1/g, '/').replace(/~0/g, '~'));
    return keys.reduce<unknown>((value, key) => (value as Json)[key], this.document);
  }

  private validator(pointer: string): ValidateFunction {
    const known = this.validators.get(pointer) ?? this.ajv.compile({ $ref: `parley#${encodeURI(pointer)}` });
    this.validators.set(pointer, known);
    return known;
  }
}

const pointerTo = (...keys: readonly (string | number)[]): string =>
  keys.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');

/** Makes every object with named fields refuse all others. */
export function closeObjects(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Json;
  if (typeof schema['properties'] === 'object' && schema['type'] !== undefined) {
    schema['additionalProperties'] ??= false;
  }
  for (const [key, item] of Object.entries(schema)) {
    if (key !== 'example' && key !== 'examples') closeObjects(item);
  }
}

/** Those of the test file that is running. */
export const describedAnswers = new DescribedAnswers();
FILE_CHECKS.push(() => describedAnswers.verify());
