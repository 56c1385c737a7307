import { randomInt } from 'node:crypto';
import path from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-file.js';
import type { NetworkPhone } from './simulator-process.js';

/** The records that the first start creates. */
export interface SeedPlan {
  readonly organisation: string;
  readonly owner: { readonly full_name: string; readonly email: string };
  readonly agents: readonly { readonly full_name: string; readonly email: string }[];
  /** Primary first. */
  readonly phones: readonly NetworkPhone[];
  /** Messages per second of each phone; 0 = no limit; undefined = the default. */
  readonly throughput: number | undefined;
  readonly credits: number;
}

/** The seeded records. Saved in the data directory because the API key is shown only once. */
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

/** Creates the seed records in the service, and checks whether they exist. */
export interface Seeder {
  has(accountId: string): Promise<boolean>;
  seed(plan: SeedPlan): Promise<SeededAccount>;
}

/**
 * The business phones of a data directory: those it was seeded with, else new ones. Their network ids are random, so
 * several sandboxes can share one database, and a sandbox killed while seeding does not block the next start.
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
  // 555-01xx is reserved for fiction and never assigned.
  const [first, second] = [randomInt(100, 150), randomInt(150, 200)];
  return [first, second].map((line) => ({
    phone_number_id: String(randomInt(1e14, 2 ** 48 - 1)),
    waba_id: waba,
    display_phone_number: `1202555${String(line).padStart(4, '0')}`,
  }));
}

/** Returns the seeded account of this data directory; creates it if the database does not have it. */
export async function ensureSeeded(
  dataDir: string,
  seeder: Seeder,
  phones: readonly NetworkPhone[],
  throughput?: number,
): Promise<SeededAccount> {
  const saved = readPrivateJson<SeededAccount>(seedFile(dataDir));
  // DATABASE_URL may point to another database than last time: that one gets its own account.
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
