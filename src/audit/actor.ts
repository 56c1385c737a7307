import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordId } from '../values/record-id.js';

/** Who makes a change: a request with an API key, a person who has signed in, an operator on the command line, or Parley itself. */
export const ACTOR_KINDS = ['api_key', 'user', 'cli', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The actor of a change, and the request that it came with. */
export interface Actor {
  readonly kind: ActorKind;
  /** Null unless the kind is `api_key`. */
  readonly apiKeyId: RecordId | null;
  /** Null unless the kind is `user`. */
  readonly userId: RecordId | null;
  /** Null for operators and Parley itself, like the address. */
  readonly requestId: string | null;
  /** The IP address of the caller. */
  readonly address: string | null;
}

/** Parley itself. */
export const SYSTEM: Actor = { kind: 'system', apiKeyId: null, userId: null, requestId: null, address: null };
/** An operator on the command line. */
export const CLI: Actor = { ...SYSTEM, kind: 'cli' };

const current = new AsyncLocalStorage<Actor>();

/** Runs `work`, and everything it awaits, in the name of `actor`. */
export const runAs = <T>(actor: Actor, work: () => T): T => current.run(actor, work);

/** In whose name this code runs. */
export const currentActor = (): Actor => current.getStore() ?? SYSTEM;
