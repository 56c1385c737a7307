import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Caller } from '../auth/caller.js';
import type { Actor } from './actor.js';

/** A UUID of any version. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Digits or a network user id, as an identifier of a person could be written within a request id. */
const IDENTIFIER = /\d{7}|[A-Z]{2}\.[A-Za-z0-9]/;

/** The part of a request that an actor is made of. */
type Request = Pick<FastifyRequest, 'id' | 'ip'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** The actor of a request. Works out its address and request id only if something is recorded. */
export class RequestActor implements Actor {
  readonly kind = 'api_key';

  constructor(
    private readonly request: Request,
    private readonly caller: Pick<Caller, 'keyId'>,
  ) {}

  get apiKeyId(): string {
    return this.caller.keyId;
  }

  /**
   * Null if the caller chose an id that may hold the number or user id of a person, because the log outlives the
   * erasure of that person.
   */
  get requestId(): string | null {
    const { id } = this.request;
    return UUID.test(id) || !IDENTIFIER.test(id) ? id : null;
  }

  /** Behind trusted proxies the address that they report, unless that is not an address. */
  get address(): string | null {
    const found = [this.request.ip, this.request.socket.remoteAddress].find((ip) => ip !== undefined && isIP(ip) !== 0);
    return found === undefined ? null : ipaddr.process(found).toString();
  }
}
