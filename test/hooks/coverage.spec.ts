import { isSource } from '../../src/hooks/personal-data-source.js';
import { manifestOf, type RoomClass } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';
import { describedTables } from '../personal-data/data-protection-page.js';
import { World } from '../support/world.js';
import { createProbeTables, dropProbeTables, ProbeModule } from './probe.js';

describe('tables that name contacts', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    await dropProbeTables(world);
  });
  afterAll(async () => {
    await dropProbeTables(world);
    await world.stop();
  });

  /** Tables with a `contact_id` or a reference to `contacts`, and those with what docs/data-protection.md says is about contacts. */
  const naming = async (): Promise<string[]> => {
    const rows = await world.unitOfWork.autocommit.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND (EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'contact_id' AND NOT a.attisdropped)
              OR EXISTS (SELECT FROM pg_constraint f WHERE f.conrelid = c.oid AND f.confrelid = 'contacts'::regclass))`,
    );
    const described = describedTables().filter(({ ofContacts }) => ofContacts.length > 0);
    return [...new Set([...rows.map(({ name }) => name), ...described.map(({ table }) => table)])].sort();
  };
  const declaredBy = (rooms: readonly RoomClass[]): string[] =>
    rooms
      .flatMap((room) => {
        const { covered = [], exempt = {} } = manifestOf(room).personalData ?? {};
        return [...covered, ...Object.keys(exempt)];
      })
      .sort();

  it('are all declared by a room, once', async () => {
    expect(declaredBy(MANIFEST.rooms)).toEqual(await naming());
  });

  it('are missed when an extension has one that it does not declare', async () => {
    await createProbeTables(world);
    expect(declaredBy(MANIFEST.rooms)).not.toEqual(await naming());
    expect(declaredBy([...MANIFEST.rooms, ProbeModule])).toEqual(await naming());
    await dropProbeTables(world);
  });

  it('are exempt for a reason', () => {
    const reasons = MANIFEST.rooms.flatMap((room) => Object.values(manifestOf(room).personalData?.exempt ?? {}));
    expect(reasons.filter((reason) => reason.length < 20)).toEqual([]);
  });

  it('of an extension are covered by a source of its own', () => {
    // The core looks after its own tables, which are those of the page.
    const ofCore = new Set(describedTables().map(({ table }) => table));
    const uncovered = [...MANIFEST.rooms, ProbeModule].filter((room) => {
      const { personalData, providers = [] } = manifestOf(room);
      return personalData?.covered?.some((table) => !ofCore.has(table)) && !providers.some(isSource);
    });
    expect(uncovered).toEqual([]);
  });
});
