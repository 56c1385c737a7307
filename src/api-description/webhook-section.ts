import type { EventClass } from '../manifest/event-manifest.js';
import type { Manifest } from '../manifest/manifest.js';
import type { Schema } from './open-api.js';
import { recordedExamples } from './recorded-examples.js';

/** The classes that describe bodies of events. */
export const bodiesOf = ({ events }: Manifest): EventClass[] => [...events.values()].map(({ body }) => body);

/**
 * Moves the parts that only events have into their bodies, because they are no records of the API.
 *
 * @param schemas those of everything, the bodies among them
 * @param paths what else refers to them
 */
export function moveEventParts(schemas: Record<string, Schema>, paths: object, bodies: readonly EventClass[]): void {
  const shared = referredTo(paths, schemas);
  const parts = [
    ...referredTo(
      bodies.map(({ name }) => schemas[name]),
      schemas,
    ),
  ].filter((name) => !shared.has(name));
  const inlined = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inlined);
    const name = '$ref' in value ? nameOf(value.$ref) : '';
    if (parts.includes(name)) return inlined(schemas[name]);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inlined(part)]));
  };
  for (const { name } of bodies) schemas[name] = inlined(schemas[name]) as Schema;
  for (const name of parts) delete schemas[name];
}

const nameOf = (reference: unknown): string => String(reference).replace('#/components/schemas/', '');

/** The names of the schemas that a part of the description refers to, directly or not. */
function referredTo(part: unknown, schemas: Record<string, Schema>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(part ?? null).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    if (!found.has(name)) referredTo(schemas[name], schemas, found.add(name));
  }
  return found;
}

/** A body of the examples of its fields, for a kind of which none is recorded. */
function sampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  if (schema['$ref'] !== undefined) return sampleOf(schemas[nameOf(schema['$ref'])] ?? {}, schemas);
  const { properties, required, examples, enum: values } = schema;
  if (properties === undefined) return [examples, values].flat().find((value) => value !== undefined);
  const fields = Object.entries(properties as Record<string, Schema>);
  return Object.fromEntries(
    fields
      .filter(([name]) => (required as string[] | undefined)?.includes(name))
      .map(([name, field]) => [name, sampleOf(field, schemas)]),
  );
}

const header = (name: string, required: boolean, description: string, example: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of every delivery, as the request of docs/webhooks.md has them. */
const DELIVERY_HEADERS = [
  header(
    'webhook-id',
    true,
    'The event; the same on every attempt and in every repetition. Skip those that you have processed',
    '019c1363-49c0-7642-9fe5-1e78f53e031a',
  ),
  header('webhook-timestamp', true, 'When this attempt was made, Unix seconds', '1769851800'),
  header(
    'webhook-signature',
    false,
    'One `v1,<base64>` per valid secret, separated by spaces: HMAC-SHA256 over `webhook-id`, `.`, `webhook-timestamp`, ' +
      '`.` and the raw body, keyed with what follows `whsec_` decoded from base64, or with any other secret as it ' +
      'stands. Absent when the endpoint has no secret',
    'v1,SXB/FJzyfLiJjpKaSyouGoveQpA8d55DLLr0qhMZM1Y=',
  ),
  header(
    'X-Webhook-Signature',
    false,
    '`sha256=<hex>`: HMAC-SHA256 over the raw body, keyed with the newest secret as it stands. Absent when the endpoint ' +
      'has no secret',
    'sha256=826d1a63181fe93b008b220099f56301d154467bc9fdca5185346b16176c2135',
  ),
  header('User-Agent', true, 'Who sends', 'Parley-Webhook/1.0'),
];

const RESPONSES = {
  '2XX': { description: 'Delivered' },
  '410': { description: 'The delivery has failed, and the endpoint is disabled' },
  '429': { description: 'Tried again, after `Retry-After` if you send it' },
  '4XX': { description: 'The delivery has failed' },
  default: { description: 'Tried again, up to `retry_count` times' },
};

/** The `webhooks` of the description: what Parley sends to endpoints. */
export function describeWebhooks(
  { events }: Manifest,
  schemas: Record<string, Schema>,
): Record<string, { post: object }> {
  return Object.fromEntries(
    [...events].map(([kind, { when, body }]) => [
      kind,
      {
        post: {
          operationId: `events.${body.name.replace(/^\w/, (letter) => letter.toLowerCase())}`,
          summary: when,
          tags: ['events'],
          security: [],
          parameters: DELIVERY_HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${body.name}` },
                example: recordedExamples().events[kind] ?? sampleOf(schemas[body.name] ?? {}, schemas),
              },
            },
          },
          responses: RESPONSES,
        },
      },
    ]),
  );
}
