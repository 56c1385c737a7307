import { Controller, Get, type PipeTransform, type Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { groupOf } from '../../src/api-description/describe-api.js';
import { RouteInventory } from '../../src/auth/route-inventory.js';
import { Public, RequiresScope } from '../../src/auth/scopes.js';
import { RequestValidationPipe } from '../../src/http/request-validation.pipe.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { ManifestModule } from '../../src/manifest/manifest.module.js';
import { MANIFEST, ROOMS } from '../../src/rooms.js';
import { ApiClient } from '../support/api-client.js';
import { readDescription } from '../support/described-answers.js';
import { World } from '../support/world.js';
import { Document } from './document.js';

interface Schema {
  readonly type?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
}

/** The parts of a schema that have no name of their own. */
const partsOf = ({ items, additionalProperties, oneOf = [] }: Schema): Schema[] =>
  [items, additionalProperties, ...oneOf].filter((part): part is Schema => typeof part === 'object');

/** All properties of a schema and of its parts, by their place. */
const fieldsOf = (place: string, schema: Schema): [place: string, schema: Schema][] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, property]): [string, Schema][] => [
    [`${place}.${name}`, property],
    ...fieldsOf(`${place}.${name}`, property),
  ]),
  ...partsOf(schema).flatMap((part) => fieldsOf(place, part)),
];

/** Whether a schema needs no example: it lists its values, or its parts have examples of their own. */
const explainsItself = (schema: Schema): boolean =>
  ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'properties'].some((keyword) => keyword in schema) ||
  (schema.items !== undefined && explainsItself(schema.items));

interface Body {
  readonly schema: object;
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly schema?: object; readonly example?: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, unknown>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Body>> };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly description: string };
  readonly servers?: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly security?: readonly Record<string, unknown>[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

const withoutSlash = (path: string): string => path.replace(/(.)\/$/, '$1');

describe('/openapi.json', () => {
  let world: World;
  let description: Description;
  type DescribedOperation = { name: string; access: keyof typeof DEMANDED; operation: Operation | undefined };
  /** What a route demands, by its access. */
  const DEMANDED = { scope: 'bearer', session: 'session', public: '' };
  let routes: DescribedOperation[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    description = (await new ApiClient(world.baseUrl, null).get<Description>('/openapi.json')).body;
    const paths = new Map(
      Object.entries(description.paths).map(([path, operations]) => [withoutSlash(path), operations]),
    );
    routes = world.parley.app.get(RouteInventory).routes.map(({ method, path, access }) => ({
      name: `${method} ${path}`,
      access: access.kind,
      operation: paths.get(withoutSlash(path.replace(/:(\w+)/g, '{$1}')))?.[method.toLowerCase()],
    }));
  });
  afterAll(() => world.stop());

  const namesOf = (wrong: (route: DescribedOperation) => boolean) => routes.filter(wrong).map(({ name }) => name);

  it('describes exactly the existing routes', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(namesOf(({ operation }) => operation === undefined)).toEqual([]);
    expect(Object.values(description.paths).flatMap(Object.keys)).toHaveLength(routes.length);
  });

  it('gives every route a summary and a tag', () => {
    expect(namesOf(({ operation }) => !operation?.summary)).toEqual([]);
    expect(namesOf(({ operation }) => !operation?.tags?.length)).toEqual([]);
  });

  it('documents the response of each route', () => {
    const silent = namesOf(({ name, operation }) => {
      const succeeding = Object.entries(operation?.responses ?? {}).filter(([status]) => status.startsWith('2'));
      return name.includes('/api/v1/') && !succeeding.some(([, { content }]) => content !== undefined);
    });
    expect(silent).toEqual([]);
  });

  it('names every path parameter', () => {
    const unnamed = namesOf(({ name, operation }) => {
      const inPath = [...name.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter).sort();
      const described = (operation?.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
      return inPath.join() !== described.sort().join();
    });
    expect(unnamed).toEqual([]);
  });

  it('requires an API key or a session exactly where one is needed', () => {
    expect(Object.keys(description.components.securitySchemes)).toEqual(['bearer', 'session']);
    const demanded = ({ operation }: { operation: Operation | undefined }) =>
      (operation?.security ?? description.security ?? []).flatMap(Object.keys).join();
    expect(namesOf((route) => demanded(route) !== DEMANDED[route.access])).toEqual([]);
  });

  it('is also served as a readable page', async () => {
    const page = await new ApiClient(world.baseUrl, null).get('/docs');
    expect(page.status).toBe(200);
    expect(page.text).toContain('swagger-ui');
  });
});

describe('docs/openapi.json', () => {
  const document = readDescription() as Description;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
  ajv.addSchema(document, 'parley');
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key.replace(/~1/g, '/')], document);
  const responseOf = (response: Response): Response =>
    response.$ref === undefined ? response : (at(response.$ref.slice(1)) as Response);
  /** What is wrong with a value by a schema of the document. */
  const faultsOf = (schema: object, value: unknown): string[] => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"parley#/')));
    return validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
  };
  const parameterNames = ({ parameters = [] }: Operation): string[] => parameters.map(({ name }) => name);

  it('is OpenAPI 3.1 whose references all lead somewhere', () => {
    expect(document.openapi).toBe('3.1.0');
    const references = JSON.stringify(document).match(/"\$ref":"#[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(100);
    const broken = [...new Set(references)].filter((one) => at(one.slice(9, -1)) === undefined);
    expect(broken).toEqual([]);
  });

  it('has valid schemas of the 2020-12 dialect, and nothing of OpenAPI 3.0', () => {
    const wrong = Object.entries(document.components.schemas).filter(
      ([, schema]) => ajv.validateSchema(schema) !== true,
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/"nullable":|"format":"binary"/);
  });

  it('gives every property a type', () => {
    const untyped: string[] = [];
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      for (const [property, schema] of Object.entries(properties)) {
        const known = ['$ref', 'allOf', 'anyOf', 'oneOf', 'type'].some((keyword) => keyword in schema);
        const bare = schema.type === 'object' && !('properties' in schema) && !('additionalProperties' in schema);
        if (!known || bare) untyped.push(`${name}.${property}`);
      }
    }
    expect(untyped).toEqual([]);
  });

  it('says of every object what is in it', () => {
    const empty: string[] = [];
    const visit = (place: string, schema: Schema): void => {
      const said = ['properties', 'additionalProperties', '$ref', 'allOf', 'anyOf', 'oneOf'];
      if (schema.type === 'object' && !said.some((keyword) => keyword in schema)) empty.push(place);
      for (const part of [...Object.values(schema.properties ?? {}), ...partsOf(schema)]) visit(place, part);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) visit(name, schema);
    expect(empty).toEqual([]);
  });

  it('names every operation after its group and what it does, under a heading that exists', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]\w*\.[a-z]\w*$/.test(id))).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['contacts.create', 'messages.sendMessage', 'campaigns.retryFailed']));
    const headings = document.tags.map(({ name }) => name);
    expect(operations.flatMap(({ tags = [] }) => tags).filter((tag) => !headings.includes(tag))).toEqual([]);
  });

  it('lists the errors of every operation, each with a schema and X-Request-Id', () => {
    for (const { operationId, responses, security } of operations) {
      const statuses = Object.keys(responses);
      if (security?.length !== 0) {
        expect([operationId, statuses]).toEqual([
          operationId,
          expect.arrayContaining(['400', '401', '403', '429', '503']),
        ]);
      }
      for (const [status, response] of Object.entries(responses)) {
        const { content, headers } = responseOf(response);
        expect([operationId, status, Object.keys(headers ?? {})]).toEqual([
          operationId,
          status,
          expect.arrayContaining(['X-Request-Id']),
        ]);
        if (status === '304') continue;
        const schemas = Object.values(content ?? {}).filter(({ schema }) => schema !== undefined);
        expect([operationId, status, schemas.length]).toEqual([operationId, status, expect.any(Number)]);
        expect(schemas.length).toBeGreaterThan(0);
      }
    }
  });

  it('describes the headers that callers decide by', () => {
    const headersOf = (id: string, status: number): string[] => {
      const response = operations.find(({ operationId }) => operationId === id)?.responses[status];
      return Object.keys(response === undefined ? {} : (responseOf(response).headers ?? {}));
    };
    expect(headersOf('contacts.list', 401)).toContain('WWW-Authenticate');
    expect(headersOf('contacts.list', 429)).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Reset']));
    expect(headersOf('contacts.create', 201)).toEqual(
      expect.arrayContaining(['Idempotency-Replayed', 'RateLimit-Limit']),
    );
    expect(headersOf('messages.send', 504)).toContain('X-Message-Id');
    expect(headersOf('messages.send', 503)).toContain('Retry-After');
    expect(headersOf('contacts.create', 409)).toContain('Retry-After');
    for (const status of [200, 400, 404]) expect(headersOf('contacts.get', status)).toContain('X-Ignored-Fields');
    expect(operations.filter(({ responses }) => !('408' in responses))).toEqual([]);
    const keyed = operations.filter((operation) => parameterNames(operation).includes('Idempotency-Key'));
    for (const { operationId, responses } of keyed) {
      expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(['409', '422'])]);
    }
  });

  it('has both error envelopes', () => {
    const { ForbiddenError, ErrorDetail } = document.components.schemas;
    expect(ForbiddenError?.properties?.['error']).toMatchObject({ enum: ['forbidden', 'account_suspended'] });
    expect(Object.keys(ErrorDetail?.properties ?? {})).toEqual(['detail']);
  });

  it('shows an example for every JSON body, which fits its schema', () => {
    for (const { operationId, requestBody } of operations) {
      const json = requestBody?.content['application/json'];
      if (json === undefined || operationId.startsWith('network.receive')) continue;
      const examples = Object.values(json.examples ?? {});
      expect([operationId, examples.length]).not.toEqual([operationId, 0]);
      for (const { value } of examples) expect([operationId, faultsOf(json.schema, value)]).toEqual([operationId, []]);
    }
  });

  it('shows recorded answers that fit their schemas', () => {
    const faults: string[] = [];
    let shown = 0;
    for (const { operationId, responses } of operations) {
      for (const response of Object.values(responses)) {
        const { schema, example } = responseOf(response).content?.['application/json'] ?? {};
        if (example === undefined || schema === undefined) continue;
        shown += 1;
        faults.push(...faultsOf(schema, example).map((fault) => `${operationId}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
    expect(shown).toBeGreaterThan(50);
  });

  it('shows an example of every field and parameter, each of which fits its schema', () => {
    const [without, faults]: [string[], string[]] = [[], []];
    const note = (place: string, schema: Schema, examples: readonly unknown[]): void => {
      if (examples.length === 0 && !explainsItself(schema)) without.push(place);
      for (const example of examples) faults.push(...faultsOf(schema, example).map((fault) => `${place}: ${fault}`));
    };
    for (const [place, schema] of Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      fieldsOf(name, schema),
    ))
      note(place, schema, schema.examples ?? []);
    for (const { operationId, parameters = [] } of operations) {
      for (const { name, schema, example } of parameters)
        note(`${operationId}: ${name}`, schema, example === undefined ? [] : [example]);
    }
    expect(without).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows no example of what does not exist', () => {
    const { requests, bodies, values } = MANIFEST.examples;
    const ids = operations.map(({ operationId }) => operationId);
    expect([...Object.keys(requests), ...Object.keys(bodies)].filter((id) => !ids.includes(id))).toEqual([]);
    const places = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      fieldsOf(name, schema).map(([place]) => place),
    );
    expect(Object.keys(values).filter((place) => !places.includes(place))).toEqual([]);
  });

  it('has no schema that nothing refers to, and no operation of accounts without a client error', () => {
    const text = JSON.stringify(document);
    const unused = Object.keys(document.components.schemas).filter((name) => !text.includes(`/schemas/${name}"`));
    expect(unused).toEqual([]);
    const withoutError = operations.filter(
      ({ responses, security }) =>
        security?.length !== 0 && !Object.keys(responses).some((status) => status.startsWith('4')),
    );
    expect(withoutError.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('shows examples that the service accepts', async () => {
    const refusals: string[] = [];
    const world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    try {
      for (const { controller, methodName, name } of world.parley.app.get(RouteInventory).routes) {
        const group = groupOf(controller);
        const operation = operations.find(({ operationId }) => operationId === `${group}.${methodName}`);
        const { schema, examples = {} } = operation?.requestBody?.content['application/json'] ?? {};
        const bodies = Object.values(examples).map(({ value }) => value);
        for (const body of bodies)
          await expect(readBody(controller, methodName, body).then(() => name)).resolves.toBe(name);
        const [, schemaName = ''] = /schemas\/(\w+)"/.exec(JSON.stringify(schema ?? {})) ?? [];
        const { properties = {} } = document.components.schemas[schemaName] ?? {};
        for (const [field, { examples: values = [] }] of Object.entries(properties)) {
          for (const value of values) {
            const reading = readBody(controller, methodName, { ...bodies[0], [field]: value });
            refusals.push(
              ...(await reading.then(
                () => [],
                ({ message }) => [`${name}: ${message}`],
              )),
            );
          }
        }
      }
      // Each field is added to the first body, which may be of a kind that excludes it.
      const documented = /must not be combined|is only allowed with/;
      expect(refusals.filter((one) => !documented.test(one))).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  it('shows examples of parameters that the service accepts', async () => {
    const world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    try {
      const { api } = await world.account({ rateLimit: 1000 });
      const refused: string[] = [];
      for (const [template, { get }] of Object.entries(document.paths)) {
        if (get === undefined || get.security?.length === 0) continue;
        const { parameters = [] } = get;
        const route = parameters
          .filter((one) => one.in === 'path')
          .reduce((filled, { name, example }) => filled.replace(`{${name}}`, String(example)), template);
        const queries = parameters
          .filter((one) => one.in === 'query' && one.example !== undefined)
          .map(({ name, example }) => `${route}?${new URLSearchParams({ [name]: String(example) })}`);
        for (const url of [route, ...queries]) {
          // Records of the examples do not exist, so 403 and 404 are answers to a request that was understood.
          const { status } = await api.get(url);
          if (![200, 403, 404].includes(status)) refused.push(`${status} ${url}`);
        }
      }
      expect(refused).toEqual([]);
    } finally {
      await world.stop();
    }
  });

  it('describes the body of every event, as docs/webhooks.md shows it', () => {
    const samples = new Document('webhooks.md').samples();
    const core = new Manifest(ROOMS).events;
    expect(Object.keys(document.webhooks)).toEqual([...MANIFEST.events.keys()]);
    for (const [kind, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody?.content['application/json'] ?? { schema: {} };
      expect(parameterNames(post)).toEqual(
        expect.arrayContaining(['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Webhook-Signature']),
      );
      if (core.has(kind)) expect(JSON.stringify(example, null, 2)).toBe(samples.get(kind)?.trim());
      expect([kind, faultsOf(schema, example)]).toEqual([kind, []]);
    }
  });

  it('says where it is served', () => {
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) }]);
  });

  it('opens with a guide', () => {
    const headings = [...document.info.description.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Authentication', 'Limits', 'Idempotency', 'Errors', 'Pages', 'Webhooks']);
  });

  it('is what a running Parley serves, unless API_DOCS is off', async () => {
    const [open, closed] = await Promise.all(
      ['on', 'off'].map((API_DOCS) => World.start({ env: { PARLEY_ROLES: 'api', API_DOCS } })),
    );
    try {
      const served = await new ApiClient(open?.baseUrl ?? '', null).get('/openapi.json');
      expect(served.body).toEqual(document);
      const statuses = ['/openapi.json', '/openapi.yaml', '/docs'].map(async (page) => {
        return (await new ApiClient(closed?.baseUrl ?? '', null).get(page)).status;
      });
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
    } finally {
      await Promise.all([open?.stop(), closed?.stop()]);
    }
  });
});

/** What the service makes of the body of a request, before the handler sees it. */
async function readBody(controller: Type, methodName: string, value: object): Promise<unknown> {
  type Argument = { readonly index: number; readonly pipes: readonly (new () => PipeTransform)[] };
  const given: Record<string, Argument> = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, methodName);
  const body = Object.entries(given).find(([kind]) => kind.startsWith(`${RouteParamtypes.BODY}:`))?.[1];
  if (body === undefined) throw new Error(`${controller.name}.${methodName} takes no body`);
  const metatype = Reflect.getMetadata('design:paramtypes', controller.prototype, methodName)[body.index];
  const [Pipe = RequestValidationPipe] = body.pipes;
  return new Pipe().transform(structuredClone(value), { type: 'body', metatype });
}

describe('a route', () => {
  @Controller('declared')
  class DeclaredController {
    @Get()
    @RequiresScope('contacts:read')
    read(): void {}

    @Get('open')
    @Public()
    open(): void {}
  }

  @Controller('undeclared')
  class UndeclaredController {
    @Get('secret')
    read(): void {}
  }

  @Controller('foreign')
  class ForeignController {
    @Get('secret')
    @RequiresScope('contacts:read', { also: ['no-room:write'] })
    read(): void {}
  }

  const boot = async (controller: new () => object) => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule, ManifestModule.register(MANIFEST)],
      controllers: [controller],
      providers: [RouteInventory],
    }).compile();
    await module.init();
    return module;
  };

  it('that declares neither a scope nor public access stops the boot and is named', async () => {
    await expect(boot(UndeclaredController)).rejects.toThrow(
      'UndeclaredController.read (GET /undeclared/secret) declares neither @RequiresScope nor @RequiresSession nor @Public',
    );
  });

  it('that requires a scope of no room stops the boot and is named', async () => {
    await expect(boot(ForeignController)).rejects.toThrow(
      'ForeignController.read (GET /foreign/secret) requires the scope no-room:write, which no room declares',
    );
  });

  it('that declares one of the two is allowed', async () => {
    const module = await boot(DeclaredController);
    expect(module.get(RouteInventory).routes).toMatchObject([
      { method: 'GET', path: '/declared/', access: { kind: 'scope', scope: 'contacts:read', whileSuspended: true } },
      { method: 'GET', path: '/declared/open', access: { kind: 'public' } },
    ]);
    await module.close();
  });
});
