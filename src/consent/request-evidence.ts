import { currentActor } from '../audit/actor.js';
import type { Evidence } from './decision.js';

/** The request in whose name this code runs, as evidence; null on the command line. */
export function requestEvidence(): Evidence | null {
  const { requestId } = currentActor();
  return requestId === null ? null : { kind: 'request', id: requestId };
}

/** The part of the evidence that all lines of a file imported by this request share. */
export const importEvidence = (): string => currentActor().requestId ?? 'command-line';
