import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { shownOnceBy } from '../http/shown-once.js';
import type { RecordId } from '../values/record-id.js';
import { MAX_KEY_CHARACTERS } from './key-header.js';
import { keyedRequest } from './keyed-request.js';

/** Set on routes that honour an Idempotency-Key: the method that recovers a lost answer, or null. */
export const IDEMPOTENT = 'parley:idempotent';

interface AnyIdempotentRoute {
  /** The payload that the key identifies, besides method and path. Default: the parsed body. */
  readonly payload?: (request: FastifyRequest) => unknown;
}

/** A route whose records must not be made twice. */
interface RecoveringRoute<Recovery extends string> extends AnyIdempotentRoute {
  /**
   * The controller method that answers from the record when the process that created it died before answering. It takes
   * the record's id and the handler's arguments. The service that creates the record calls `noteRecordOfKey` in the
   * same transaction.
   */
  readonly recover: Recovery;
  readonly rerunIsSafe?: undefined;
}

/** A route whose handler may run again. */
interface RepeatableRoute extends AnyIdempotentRoute {
  /** Why the handler does no harm when it runs again because the process that ran it first died before answering. */
  readonly rerunIsSafe: string;
  readonly recover?: undefined;
}

/** How a route answers a repeated request: from the record that the first one made, or by running again. */
export type IdempotentOptions<Recovery extends string> = RecoveringRoute<Recovery> | RepeatableRoute;

type Handler<Given extends unknown[], Answer> = (...given: Given) => Promise<Answer>;

/**
 * Declares that a POST route honours an Idempotency-Key, and how. Boot fails when a route with an API key does not;
 * test/idempotency/killed-posts.spec.ts holds each route to its declaration.
 */
export const Idempotent =
  <Recovery extends string = never>({ recover, payload = bodyOf }: IdempotentOptions<Recovery>) =>
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
        shownOnce: shownOnceBy(answering),
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
    Reflect.defineMetadata(IDEMPOTENT, recover ?? null, answering);
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
