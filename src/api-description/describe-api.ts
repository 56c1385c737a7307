import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { type Route, routesOf } from '../auth/route-inventory.js';
import { EVERY_SCOPE } from '../auth/scopes.js';
import { isSource } from '../hooks/personal-data-source.js';
import { ERROR_SCHEMAS } from '../http/error-schemas.js';
import { DECLARED, type Declared } from '../manifest/declared-values.js';
import { manifestOf } from '../manifest/room.js';
import { ContactExportResponse } from '../personal-data/dto/contact-export.response.js';
import { MANIFEST } from '../rooms.js';
import { completeOperation, HEADERS } from './common-answers.js';
import { GUIDE } from './guide.js';
import type { Description, Operation, Responses, Schema } from './open-api.js';
import { addExamples, explainParameter } from './property-examples.js';
import { recordedExamples } from './recorded-examples.js';
import { bodiesOf, describeWebhooks, moveEventParts } from './webhook-section.js';

const RECORDED = recordedExamples();
/** Where Nest keeps the tags of a controller. */
const TAGS_OF_CONTROLLER = 'swagger/apiUseTags';

/** The OpenAPI description of every route. It needs no running application: one in preview mode will do. */
export function describeApi(app: INestApplication): Description {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription(GUIDE)
    // Of the API, whose paths say v1; releases of Parley have versions of their own.
    .setVersion('1.0')
    .addServer('/', 'Where this description is served')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: `pk_live_…`' })
    .addCookieAuth(
      '__Host-parley',
      { type: 'apiKey', description: 'A person who has signed in: `POST /api/v1/session`' },
      'session',
    )
    .addSecurityRequirements('bearer');
  const controllers = controllersOf(app);
  const groups = new Map(controllers.map((controller) => [controller.name, groupOf(controller)]));
  const routes = new Map<string, Route>();
  for (const controller of controllers) {
    for (const route of routesOf(controller)) routes.set(`${groupOf(controller)}.${route.methodName}`, route);
  }
  const description = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: (controller, method) => `${groups.get(controller)}.${method}`,
    autoTagControllers: false,
    extraModels: bodiesOf(MANIFEST),
  }) as unknown as Description;
  const { paths, components } = description;
  addDeclaredValues(description);
  const shared: Responses = {};
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    const route = routes.get(operation.operationId);
    if (route === undefined) throw new Error(`${operation.operationId} is described, but is no route`);
    complete(operation, route, components.schemas, shared);
  }
  // An empty object unless somebody is named.
  delete description.info.contact;
  // Swagger makes one of a body that is taken as bytes.
  delete components.schemas['Buffer'];
  Object.assign(components.schemas, structuredClone(ERROR_SCHEMAS));
  moveEventParts(components.schemas, paths, bodiesOf(MANIFEST));
  addExportSections(components.schemas[ContactExportResponse.name]);
  addExamples(
    components.schemas,
    Object.values(paths).flatMap((path) => Object.values(path)),
  );
  return {
    ...description,
    paths: sorted(paths),
    webhooks: describeWebhooks(MANIFEST, components.schemas),
    components: { ...components, schemas: sorted(components.schemas), responses: sorted(shared), headers: HEADERS },
    tags: MANIFEST.tags.map(([name, text]) => ({ name, description: text })),
  };
}

function complete(operation: Operation, route: Route, schemas: Record<string, Schema>, shared: Responses): void {
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (Array.isArray(schema['type'])) schema['type'] = schema['type'].find((type) => type !== 'null');
    if (Array.isArray(schema['enum'])) schema['enum'] = schema['enum'].filter((value) => value !== null);
    if (place === 'path' && name.endsWith('_id') && schema['pattern'] === undefined) schema['format'] = 'uuid';
  }
  addAnswer(operation);
  const { bodies, requests } = MANIFEST.examples;
  const body = bodies[operation.operationId] as Operation['requestBody'];
  if (body !== undefined) operation.requestBody = { ...body };
  completeOperation(operation, route, shared);
  for (const parameter of operation.parameters ?? []) explainParameter(parameter);
  const json = operation.requestBody?.content['application/json'];
  if (operation.requestBody === undefined || json === undefined) return;
  const examples = requests[operation.operationId];
  if (examples !== undefined) json.examples = examples;
  const [, name = ''] = /schemas\/(\w+)$/.exec(String(json.schema['$ref'])) ?? [];
  operation.requestBody.required = schemas[name] === undefined || schemas[name]['required'] !== undefined;
}

/** Shows the recorded answer where the operation succeeds. */
function addAnswer({ operationId, responses }: Operation): void {
  const example = RECORDED.answers[operationId];
  const [response] = Object.entries(responses).flatMap(([status, one]) => (status.startsWith('2') ? [one] : []));
  const json = response?.content?.['application/json'];
  if (example !== undefined && json !== undefined) json.example = example;
}

/** Rooms that are sources of personal data have a section in the export of a contact. */
function addExportSections(schema: Schema | undefined): void {
  for (const room of MANIFEST.rooms) {
    if (!manifestOf(room).providers?.some(isSource)) continue;
    const section = {
      type: ['array', 'null'],
      items: { type: 'object', additionalProperties: true },
      description: `What ${MANIFEST.nameOf(room)} holds about the contact; null when it failed to say. Ask again then`,
    };
    Object.assign(schema?.['properties'] ?? {}, { [MANIFEST.nameOf(room)]: section });
  }
}

/** Names the values of fields that take what rooms declare. */
function addDeclaredValues(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  if (DECLARED in schema) {
    const { [DECLARED]: declared } = schema as { [DECLARED]?: Declared };
    delete (schema as { [DECLARED]?: Declared })[DECLARED];
    // Nest leaves it beside the schema of a parameter.
    Object.assign('schema' in schema ? (schema.schema as object) : schema, { enum: VALUES[declared as Declared] });
  }
  for (const part of Object.values(schema)) addDeclaredValues(part);
}

const VALUES: Readonly<Record<Declared, readonly string[]>> = {
  scopes: [EVERY_SCOPE, ...MANIFEST.scopes],
  subscriptions: MANIFEST.subscriptions,
  events: [...MANIFEST.events.keys()],
};

function controllersOf(app: INestApplication): Type[] {
  const { container } = app as unknown as {
    container: { getModules(): Map<string, { controllers: Map<unknown, { metatype: unknown }> }> };
  };
  return [...container.getModules().values()]
    .flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype))
    .filter((metatype): metatype is Type => typeof metatype === 'function');
}

/** `business-phones` becomes `businessPhones`. */
export function groupOf(controller: Type): string {
  const [tag] = (Reflect.getMetadata(TAGS_OF_CONTROLLER, controller) as string[] | undefined) ?? [];
  if (tag === undefined) throw new Error(`${controller.name} has no @ApiTags`);
  return tag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const sorted = <Value>(entries: Record<string, Value>): Record<string, Value> =>
  Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
