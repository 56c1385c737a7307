import type { INestApplication, Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { type Route, routesOf } from '../auth/route-inventory.js';
import { ERROR_SCHEMAS } from '../http/error-schemas.js';
import { BODIES, BODY_EXAMPLES } from './body-examples.js';
import { completeOperation, HEADERS } from './common-answers.js';
import { EVENT_SCHEMAS } from './event-schemas.js';
import { GUIDE, TAGS } from './guide.js';
import type { Description, Operation, Responses, Schema } from './open-api.js';
import { addExamples, explainParameter } from './property-examples.js';
import { describeWebhooks } from './webhook-section.js';

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
  }) as unknown as Description;
  const { paths, components } = description;
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
  Object.assign(components.schemas, structuredClone({ ...ERROR_SCHEMAS, ...EVENT_SCHEMAS }));
  addExamples(components.schemas);
  return {
    ...description,
    paths: sorted(paths),
    webhooks: describeWebhooks(),
    components: { ...components, schemas: sorted(components.schemas), responses: sorted(shared), headers: HEADERS },
    tags: TAGS.map(([name, text]) => ({ name, description: text })),
  };
}

function complete(operation: Operation, route: Route, schemas: Record<string, Schema>, shared: Responses): void {
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (Array.isArray(schema['type'])) schema['type'] = schema['type'].find((type) => type !== 'null');
    if (Array.isArray(schema['enum'])) schema['enum'] = schema['enum'].filter((value) => value !== null);
    if (place === 'path' && name.endsWith('_id')) schema['format'] = 'uuid';
  }
  const body = BODIES[operation.operationId];
  if (body !== undefined) operation.requestBody = { ...body };
  completeOperation(operation, route, shared);
  for (const parameter of operation.parameters ?? []) explainParameter(parameter);
  const json = operation.requestBody?.content['application/json'];
  if (operation.requestBody === undefined || json === undefined) return;
  const examples = BODY_EXAMPLES[operation.operationId];
  if (examples !== undefined) json.examples = examples;
  const [, name = ''] = /schemas\/(\w+)$/.exec(String(json.schema['$ref'])) ?? [];
  operation.requestBody.required = schemas[name] === undefined || schemas[name]['required'] !== undefined;
}

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
