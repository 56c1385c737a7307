import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { RecordId } from '../values/record-id.js';
import { MAX_KEY_CHARACTERS } from './key-header.js';
import { keyedRequest } from './keyed-request.js';

/** Set on routes that honour an Idempotency-Key. */
export const IDEMPOTENT = 'parley:idempotent';

/** How a route honours an Idempotency-Key. */
export interface IdempotentOptions<Recovery extends string> {
  /**
   * The controller method that answers from the record when the process that created it died before answering. It takes
   * the record's id and the handler's arguments. The service that creates the record calls `noteRecordOfKey`. Omit it
   * when the route creates no record: then the handler runs again, and must be idempotent.
   */
  readonly recover?: Recovery;
  /** The payload that the key identifies, besides method and path. Default: the parsed body. */
  readonly payload?: (request: FastifyRequest) => unknown;
}

type Handler<Given extends unknown[], Answer> = (...given: Given) => Promise<Answer>;

/** Declares that a POST route honours an Idempotency-Key. Boot fails when a route with an API key does not. */
export const Idempotent =
  <Recovery extends string = never>({ recover, payload = bodyOf }: IdempotentOptions<Recovery> = {}) =>
  <Given extends unknown[], Answer>(
    controller: NoInfer<Record<Recovery, (recordId: RecordId, ...given: Given) => Promise<Answer>>>,
    name: string,
    descriptor: TypedPropertyDescriptor<Handler<Given, Answer>>,
  ): void => {
    const handler = descriptor.value;
    if (handler === undefined) throw new Error(`${name} is not a method`);
    const answering = function (this: typeof controller, ...given: Given): Promise<Answer> {
      const request = keyedRequest();
      if (request === undefined) return handler.apply(this, given);
      return request.answer({
        run: () => handler.apply(this, given),
        recover: recover === undefined ? null : (recordId) => this[recover](recordId, ...given),
        payload,
        // The JSON text of an Answer, which Nest sends unchanged.
      }) as Promise<Answer>;
    };
    // Swagger finds a method's parameters by its function name.
    Object.defineProperty(answering, 'name', { value: name });
    descriptor.value = answering;
    // Copy the metadata that the decorators below this one set on the original handler.
    for (const key of Reflect.getMetadataKeys(handler)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), answering);
    }
    Reflect.defineMetadata(IDEMPOTENT, true, answering);
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Repeating a request with the same key and payload within 24 hours returns the first answer, with ' +
        '`Idempotency-Replayed: true`. Another payload is a 422; a request still in progress is a 409.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
    })(controller, name, descriptor);
  };

const bodyOf = (request: FastifyRequest): unknown => request.body;
