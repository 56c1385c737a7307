import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressScope, EgressGuard, EgressPolicy } from './egress-guard.js';
import { bareHost } from './url-rules.js';

/** Milliseconds before the next of several addresses is tried; Node's default of 250 is too short for distant hosts. */
const NEXT_ADDRESS_AFTER_MS = 1000;

/**
 * Opens the sockets of the egress client. The guard is the socket's own lookup function, so the addresses that it
 * admits are exactly those that the socket connects to. Literal addresses are never looked up, so they are checked
 * beforehand.
 */
export function guardedConnector(
  guard: EgressGuard,
  policy: EgressPolicy,
  timeoutMs: number,
): buildConnector.connector {
  const connectors = {
    public: connectorFor(guard, 'public', timeoutMs),
    excepted: connectorFor(guard, 'excepted', timeoutMs),
    any: connectorFor(guard, 'any', timeoutMs),
  } satisfies Record<AddressScope, buildConnector.connector>;

  return (destination, callback) => {
    const hostname = bareHost(destination.hostname);
    const scope = guard.scopeOf(destination, policy);
    const connect = () => connectors[scope]({ ...destination, hostname }, callback);
    if (isIP(hostname) === 0) connect();
    else guard.addressesOf(hostname, scope).then(connect, (error: Error) => callback(error, null));
  };
}

function connectorFor(guard: EgressGuard, scope: AddressScope, timeoutMs: number): buildConnector.connector {
  return buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup(guard, scope),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
  } as buildConnector.BuildOptions);
}

const guardedLookup =
  (guard: EgressGuard, scope: AddressScope): LookupFunction =>
  (host, options: LookupOptions, callback) => {
    guard.addressesOf(host, scope).then(
      (addresses) => {
        if (options.all === true) callback(null, addresses);
        else callback(null, (addresses[0] as LookupAddress).address, (addresses[0] as LookupAddress).family);
      },
      (error: Error) => callback(error, ''),
    );
  };
