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
   * The controller's method that answers from the record that the route made, for a process that died before it could.
   * It takes the record's id and what the handler takes. The service that makes the record names it with
   * `noteRecordOfKey`. Absent where a route makes no record: there it runs again, which changes nothing twice.
   */
  readonly recover?: Recovery;
  /** What the key stands for beside method and path. Default: the parsed body. */
  readonly payload?: (request: FastifyRequest) => unknown;
}

type Handler<Given extends unknown[], Answer> = (...given: Given) => Promise<Answer>;

/** Declares that a POST route honours an Idempotency-Key. One that takes an API key and does not stops the boot. */
export const Idempotent =
  <Recovery extends string = never>({ recover, payload = bodyOf }: IdempotentOptions<Recovery> = {}) =>
  <Given extends unknown[], Answer>(
    controller: NoInfer<Record<Recovery, (recordId: RecordId, ...given: Given) => Promise<Answer>>>,
    name: string,
    descriptor: TypedPropertyDescriptor<Handler<Given, Answer>>,
  ): void => {
    const handler = descriptor.value;
    if (handler === undefined) throw new Error(`${name} is no method`);
    const answering = function (this: typeof controller, ...given: Given): Promise<Answer> {
      const request = keyedRequest();
      if (request === undefined) return handler.apply(this, given);
      return request.answer({
        run: () => handler.apply(this, given),
        recover: recover === undefined ? null : (recordId) => this[recover](recordId, ...given),
        payload,
        // The JSON text of an Answer, which Nest sends as it is.
      }) as Promise<Answer>;
    };
    // The description of the API finds a method's parameters by the name of its function.
    Object.defineProperty(answering, 'name', { value: name });
    descriptor.value = answering;
    // What the decorators below this one have said of the handler is true of what stands in for it.
    for (const key of Reflect.getMetadataKeys(handler)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), answering);
    }
    Reflect.defineMetadata(IDEMPOTENT, true, answering);
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'The same key and payload within 24 hours are answered as the first time, with `Idempotency-Replayed: true`; ' +
        'another payload is 422, a request still in progress 409.',
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_CHARACTERS },
    })(controller, name, descriptor);
  };

const bodyOf = (request: FastifyRequest): unknown => request.body;
