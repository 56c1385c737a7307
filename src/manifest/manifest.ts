import type { Type } from '@nestjs/common';
import type { Retention } from '../config/environment.js';
import type { SettingsClass } from '../config/settings.js';
import { StartupError } from '../config/start-failure.js';
import { EVERY_EVENT, type EventClass, type EventManifest } from './event-manifest.js';
import type { Extension } from './extension.js';
import type { JobKind } from './job-kind.js';
import { type Kept, manifestOf, type RoomClass, roomName, type Tag } from './room.js';
import type { RoomExamples } from './room-examples.js';

/** `<area>:read` or `<area>:write`, of an area that a room declares. */
export type Scope = `${string}:${'read' | 'write'}`;

/** What all rooms together declare. */
export class Manifest {
  readonly entities: readonly Type[];
  readonly jobs: readonly JobKind<object>[];
  /** The names of the queues, each with one kind of job. */
  readonly queues: readonly string[];
  /** Every scope that exists today. */
  readonly scopes: readonly Scope[];
  readonly tags: readonly Tag[];
  readonly settings: readonly SettingsClass[];
  /** Every room, extensions last. */
  readonly rooms: readonly RoomClass[];
  readonly extensions: readonly Extension[];
  readonly examples: Required<RoomExamples>;
  /** Every kind of event: the usual ones first, last those that nobody can subscribe to. */
  readonly events: ReadonlyMap<string, EventManifest & { readonly body: EventClass }>;
  /** The events that an endpoint gets that names none. */
  readonly usualEvents: readonly string[];
  /** The events that an endpoint can name; the usual ones first. */
  readonly subscribableEvents: readonly string[];
  /** What an endpoint can subscribe to: an event, or {@link EVERY_EVENT}. */
  readonly subscriptions: readonly string[];

  /**
   * @param core the rooms of Parley itself
   * @param extensions the others by their names
   * @throws StartupError when two rooms declare the same thing
   */
  constructor(
    readonly core: readonly RoomClass[],
    extensions: Readonly<Record<string, RoomClass>> = {},
  ) {
    this.extensions = Object.entries(extensions).map(([name, room]) => ({
      name,
      room,
      migrations: manifestOf(room).migrations ?? [],
    }));
    this.rooms = [...core, ...Object.values(extensions)];
    const { rooms } = this;
    const manifests = rooms.map(manifestOf);
    this.entities = manifests.flatMap(({ entities = [] }) => entities);
    this.jobs = manifests.flatMap(({ jobs = [] }) => jobs);
    this.queues = this.jobs.map(({ queue }) => queue);
    const areas = manifests.flatMap((manifest) => manifest.areas ?? []);
    this.scopes = areas.flatMap((area): Scope[] => [`${area}:read`, `${area}:write`]);
    this.tags = manifests.flatMap(({ tags = [] }) => tags);
    this.settings = manifests.flatMap(({ settings }) => settings ?? []);
    const merged = <Key extends keyof RoomExamples>(key: Key): Required<RoomExamples>[Key] => {
      const entries = manifests.flatMap(({ examples }) => Object.entries(examples?.[key] ?? {}));
      requireUnique(
        'examples',
        entries.map(([name]) => name),
      );
      return Object.fromEntries(entries) as Required<RoomExamples>[Key];
    };
    this.examples = { requests: merged('requests'), bodies: merged('bodies'), values: merged('values') };
    const events = manifests.flatMap(({ areas: [area] = [], events: bodies = [] }) =>
      bodies.map((body) => ({ kind: body.kind, scope: area && `${area}:read`, ...body.manifest, body })),
    );
    const reached = (by: EventManifest['reach']) => events.filter(({ reach }) => reach === by);
    const [usual, optIn, direct] = [reached('usual'), reached(undefined), reached('direct')];
    this.events = new Map([...usual, ...optIn, ...direct].map(({ kind, ...event }) => [kind, event]));
    this.usualEvents = usual.map(({ kind }) => kind);
    this.subscribableEvents = [...usual, ...optIn].map(({ kind }) => kind);
    this.subscriptions = [...this.subscribableEvents, EVERY_EVENT];
    for (const { kind, scope } of events) {
      if (scope === undefined) throw new StartupError(`the event ${kind} needs a scope, but its room has no area`);
      if (this.scopes.includes(scope as Scope)) continue;
      throw new StartupError(`the event ${kind} needs the scope ${scope}, which no room declares`);
    }
    for (const [what, names] of Object.entries({
      events: events.map(({ kind }) => kind),
      rooms: rooms.map(({ name }) => name),
      entities: this.entities.map(({ name }) => name),
      jobs: this.jobs.map(({ name }) => name),
      queues: this.queues,
      areas,
      tags: this.tags.map(([name]) => name),
    })) {
      requireUnique(what, names);
    }
  }

  /** The name of a room: an extension's own, otherwise that of its module class. */
  nameOf(room: RoomClass): string {
    return this.extensions.find((each) => each.room === room)?.name ?? roomName(room);
  }

  /** How long rows of each table are kept that is not kept for ever. */
  kept(retention: Retention): Readonly<Record<string, Kept>> {
    const kept = this.rooms.flatMap((room) => {
      const declared = manifestOf(room).kept ?? {};
      return Object.entries(typeof declared === 'function' ? declared(retention) : declared);
    });
    return Object.fromEntries(kept);
  }
}

function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new StartupError(`two rooms declare ${twice} among their ${what}`);
}
