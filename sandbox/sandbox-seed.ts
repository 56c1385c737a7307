import { randomInt } from 'node:crypto';
import path from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import type { NetworkPhone } from './simulator-process.js';

/** What the first start puts into an empty sandbox. */
export interface SeedPlan {
  readonly organisation: string;
  readonly owner: { readonly full_name: string; readonly email: string };
  readonly agents: readonly { readonly full_name: string; readonly email: string }[];
  /** Primary first. */
  readonly phones: readonly NetworkPhone[];
  /** Messages per second of each phone; 0 = no limit; undefined = the usual one. */
  readonly throughput: number | undefined;
  readonly credits: number;
}

/** The records that were made; kept in the data directory, since the key is shown only once. */
export interface SeededAccount {
  readonly organisation_id: string;
  readonly account_id: string;
  /** The owner. */
  readonly user_id: string;
  readonly agents: readonly { readonly user_id: string; readonly full_name: string }[];
  /** Primary first. */
  readonly business_phones: readonly SeededPhone[];
  readonly api_key: string;
}

export interface SeededPhone {
  readonly waba_phone_id: string;
  readonly phone_number_id: string;
  readonly waba_id: string;
  /** Digits. */
  readonly phone: string;
}

/** How the service makes and recognises those records. */
export interface Seeder {
  has(accountId: string): Promise<boolean>;
  seed(plan: SeedPlan): Promise<SeededAccount>;
}

/**
 * The business phones of a data directory: those it was seeded with, else new ones. Their network ids are drawn at
 * random, so that several sandboxes can share one database, and one killed while seeding does not block the next start.
 */
export function sandboxPhones(dataDir: string): NetworkPhone[] {
  const seeded = readPrivateJson<SeededAccount>(seedFile(dataDir));
  if (seeded) {
    return seeded.business_phones.map(({ phone_number_id, waba_id, phone }) => ({
      phone_number_id,
      waba_id,
      display_phone_number: phone,
    }));
  }
  const waba = String(randomInt(1e14, 2 ** 48 - 1));
  // 555-01xx is the range that is never given to anybody.
  const [first, second] = [randomInt(100, 150), randomInt(150, 200)];
  return [first, second].map((line) => ({
    phone_number_id: String(randomInt(1e14, 2 ** 48 - 1)),
    waba_id: waba,
    display_phone_number: `1202555${String(line).padStart(4, '0')}`,
  }));
}

/** The seeded account of this data directory, made now if the database does not have it. */
export async function ensureSeeded(
  dataDir: string,
  seeder: Seeder,
  phones: readonly NetworkPhone[],
  throughput?: number,
): Promise<SeededAccount> {
  const saved = readPrivateJson<SeededAccount>(seedFile(dataDir));
  // Another DATABASE_URL than last time is another world: it gets an account of its own.
  if (saved && (await seeder.has(saved.account_id))) return saved;
  const seeded = await seeder.seed({
    organisation: 'Sandbox Ltd',
    owner: { full_name: 'Olivia Owner', email: 'olivia@sandbox.example' },
    agents: [
      { full_name: 'Ada Agent', email: 'ada@sandbox.example' },
      { full_name: 'Ben Agent', email: 'ben@sandbox.example' },
      { full_name: 'Cleo Agent', email: 'cleo@sandbox.example' },
    ],
    phones,
    throughput,
    credits: 1_000_000,
  });
  writePrivateJson(seedFile(dataDir), seeded);
  return seeded;
}

function seedFile(dataDir: string): string {
  return path.join(dataDir, 'seed.json');
}
