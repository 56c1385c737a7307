import type { FastifyRequest } from 'fastify';
import { plainAddress } from '../auth/caller-address.js';
import type { Actor } from './actor.js';

/** The part of a request that an actor is made of. */
type Request = Pick<FastifyRequest, 'id' | 'ip'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** Who makes a request. */
export type RequestedBy = { readonly keyId: string } | { readonly userId: string };

/** The actor of a request. Works out its address only if something is recorded. */
export class RequestActor implements Actor {
  readonly kind: 'api_key' | 'user';
  readonly apiKeyId: string | null;
  readonly userId: string | null;

  constructor(
    private readonly request: Request,
    by: RequestedBy,
  ) {
    this.kind = 'keyId' in by ? 'api_key' : 'user';
    this.apiKeyId = 'keyId' in by ? by.keyId : null;
    this.userId = 'userId' in by ? by.userId : null;
  }

  get requestId(): string {
    return this.request.id;
  }

  get address(): string | null {
    return addressOf(this.request);
  }
}

/** The caller's IP address: behind trusted proxies the one that they report, unless that is not an address. */
export const addressOf = ({ ip, socket }: Omit<Request, 'id'>): string | null =>
  plainAddress(ip) ?? plainAddress(socket.remoteAddress);
