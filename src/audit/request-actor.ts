import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.js';
import { plainAddress } from '../auth/caller-address.js';
import type { Actor } from './actor.js';

/** The part of a request that an actor is made of. */
type Request = Pick<FastifyRequest, 'id' | 'ip'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** The actor of a request. Works out its address only if something is recorded. */
export class RequestActor implements Actor {
  readonly kind = 'api_key';

  constructor(
    private readonly request: Request,
    private readonly caller: Pick<Caller, 'keyId'>,
  ) {}

  get apiKeyId(): string {
    return this.caller.keyId;
  }

  get requestId(): string {
    return this.request.id;
  }

  /** Behind trusted proxies the address that they report, unless that is not an address. */
  get address(): string | null {
    return plainAddress(this.request.ip) ?? plainAddress(this.request.socket.remoteAddress);
  }
}
