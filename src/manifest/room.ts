import { type DynamicModule, Global, Module, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import type { MigrationInterface } from 'typeorm';
import type { Environment, Retention } from '../config/environment.js';
import type { SettingsClass } from '../config/settings.js';
import type { EventClass } from './event-manifest.js';
import type { JobKind } from './job-kind.js';
import type { RoomExamples } from './room-examples.js';

/** How long rows of a table are kept: in words, or with the age at which they are deleted. */
export type Kept = string | { readonly words: string; readonly ms: number };

/** A migration; the name of the class ends with the 13 digits that order it. */
export type MigrationClass = new () => MigrationInterface;

/**
 * What a room declares about itself; everything that is made of all rooms follows from it. What it exports is there for
 * every room above.
 */
export interface RoomManifest extends ModuleMetadata {
  /** What only processes with the role `worker` need, such as processors and sweeps. */
  readonly worker?: Provider[];
  /** One for each table that it owns. */
  readonly entities?: readonly Type[];
  /** The migrations of an extension, oldest first. Those of the core are in migrations/index.ts. */
  readonly migrations?: readonly MigrationClass[];
  /** Its environment variables. Its services have the class injected. */
  readonly settings?: SettingsClass;
  /** The jobs that it processes. */
  readonly jobs?: readonly JobKind<object>[];
  /** The bodies of events that carry its records, one class for each kind: `<record>.<what happened to it>`. */
  readonly events?: readonly EventClass[];
  /** The areas of the API whose `<area>:read` and `<area>:write` keys may have. */
  readonly areas?: readonly string[];
  /** Headings of its operations in the description of the API. */
  readonly tags?: readonly Tag[];
  /** Examples in the description of the API. */
  readonly examples?: RoomExamples;
  /** Tables that name contacts; a test finds those that are not listed. */
  readonly personalData?: PersonalData;
  /** Tables whose rows are not kept for ever. */
  readonly kept?: Readonly<Record<string, Kept>> | ((retention: Retention) => Readonly<Record<string, Kept>>);
}

/** What becomes of rows about a contact that is erased, merged or exported. */
export interface PersonalData {
  /** Tables that the core itself or the room's `PersonalDataSource` erases, merges and exports. */
  readonly covered?: readonly string[];
  /** Tables that need none of this, with the reason. */
  readonly exempt?: Readonly<Record<string, string>>;
}

/** A heading in the description of the API, and what stands below it. */
export type Tag = readonly [name: string, description: string];

/** A Nest module that is a room. A room that depends on the environment in other ways than by its roles registers itself. */
export interface RoomClass extends Type {
  register?(environment: Environment, entities: readonly Type[]): DynamicModule;
}

const ROOM = Symbol('room');

/** Declares the Nest module of a room. Controllers are for the role `api`, providers for every process. */
export function Room(manifest: RoomManifest): ClassDecorator {
  return (room) => {
    Reflect.defineMetadata(ROOM, manifest, room);
    Global()(room);
    Module({})(room);
  };
}

/** @throws Error unless the class is a room */
export function manifestOf(room: RoomClass): RoomManifest {
  const manifest = Reflect.getMetadata(ROOM, room) as RoomManifest | undefined;
  if (manifest === undefined) throw new Error(`${room.name} has no @Room`);
  return manifest;
}

/** The name of a room: that of its module class in snake case, such as `surveys` of `SurveysModule`. */
export const roomName = ({ name }: RoomClass): string =>
  name
    .replace(/Module$/, '')
    .replace(/(?<=.)(?=[A-Z])/g, '_')
    .toLowerCase();

/** The Nest module of a room in a process with these roles. @param entities those of all rooms */
export function moduleOf(room: RoomClass, environment: Environment, entities: readonly Type[]): DynamicModule {
  if (room.register !== undefined) return room.register(environment, entities);
  const { imports = [], controllers = [], worker = [], exports = [], settings, ...rest } = manifestOf(room);
  const { roles } = environment;
  const providers = [...(rest.providers ?? [])];
  if (settings !== undefined) providers.push({ provide: settings, useValue: environment.settings.get(settings) });
  return {
    module: room,
    imports,
    controllers: roles.has('api') ? controllers : [],
    providers: roles.has('worker') ? [...providers, ...worker] : providers,
    exports,
  };
}
