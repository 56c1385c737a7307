import { ApiProperty } from '@nestjs/swagger';
import { naiveTimestamp, offsetTimestamp } from '../values/clock.js';

/** Subscribes to every kind of event, today's and later ones. */
export const EVERY_EVENT = '*';

/** A kind of event, declared by the room whose records it carries. */
export interface EventManifest {
  /** When it happens, as a sentence without its full stop. */
  readonly when: string;
  /**
   * The endpoints that get it. By default those that ask for it, by name or with {@link EVERY_EVENT}, so that a new kind
   * reaches no receiver that does not expect it. `usual`: also those that name no events. `direct`: only the one that it
   * is sent to, and nobody can subscribe to it.
   */
  readonly reach?: 'usual' | 'direct';
  /** The scope with which a key may read what it carries. Default: `<area>:read` of the room's first area. */
  readonly scope?: string;
}

/** What every body has. */
export interface EventPayload {
  /** One that a room declares. */
  readonly event: string;
  readonly timestamp: string;
}

/** The class of the bodies of one kind: its decorated fields are the schema, and its constructor writes them. */
export interface EventClass {
  readonly name: string;
  readonly kind: string;
  readonly manifest: EventManifest;
  new (...given: never[]): EventPayload;
}

/** Describes a time without an offset. */
export const NAIVE_TIME = { description: 'UTC, without an offset: `2026-01-31T09:30:00.000`' };

/** A time as most events write it, without an offset. */
const NAIVE = { ...NAIVE_TIME, write: naiveTimestamp };
/** A time with its offset. */
export const WITH_OFFSET = { description: 'UTC', format: 'date-time', write: offsetTimestamp };

/**
 * The class that the body of a kind of event extends: it declares the kind and writes what every body begins with. The
 * order in which constructors assign the fields is their order on the wire.
 */
export function eventBody<Kind extends string>(kind: Kind, manifest: EventManifest, { write, ...time } = NAIVE) {
  abstract class EventBody implements EventPayload {
    static readonly kind: string = kind;
    static readonly manifest = manifest;

    @ApiProperty({ enum: [kind] }) readonly event: Kind;
    @ApiProperty({ type: String, ...time }) readonly timestamp: string;

    constructor(at: Date) {
      this.event = kind;
      this.timestamp = write(at);
    }
  }
  return EventBody;
}
