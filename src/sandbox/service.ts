import type { INestApplicationContext } from '@nestjs/common';
import { AccountDirectory } from '../accounts/account-directory.service.js';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { BusinessPhoneRegistry } from '../accounts/business-phone-registry.service.js';
import { Wallets } from '../accounts/wallets.service.js';
import { Agents } from '../agents/agents.service.js';
import { ALL_SCOPES } from '../auth/scopes.js';
import { createParley } from '../bootstrap.js';
import type { Environment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import type { SeededAccount, Seeder, SeedPlan } from './sandbox-seed.js';

/** The service itself, composed and migrated but not listening yet. */
export interface Service {
  readonly seeder: Seeder;
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Migrates the database and composes the service. */
export async function startService(environment: Environment): Promise<Service> {
  await migrate(environment.databaseDirectUrl);
  const parley = await createParley(environment);
  return { seeder: seederOf(parley.app), listen: () => parley.listen(), close: () => parley.close() };
}

function seederOf(app: INestApplicationContext): Seeder {
  return {
    has: (accountId) => hasAccount(app.get(Wallets), accountId),
    // One transaction: a start that is killed while seeding leaves nothing.
    seed: (plan) => app.get(UnitOfWork).transaction((tx) => seed(app, plan, tx)),
  };
}

async function hasAccount(wallets: Wallets, accountId: string): Promise<boolean> {
  try {
    await wallets.balance(accountId);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return false;
    throw error;
  }
}

async function seed(app: INestApplicationContext, plan: SeedPlan, tx: Tx): Promise<SeededAccount> {
  const owner = { fullName: plan.owner.full_name, email: plan.owner.email };
  const { accountId, organisationId, userId } = await app
    .get(AccountDirectory)
    .create({ name: plan.organisation, owner }, tx);
  if (organisationId === null) throw new Error('a seeded account has an organisation');

  const agents: { user_id: string; full_name: string }[] = [];
  for (const { full_name, email } of plan.agents) {
    const agent = { organisationId, fullName: full_name, email, role: 'agent' } as const;
    agents.push({ user_id: await app.get(Agents).enrol(agent, tx), full_name });
  }
  const business_phones: SeededAccount['business_phones'][number][] = [];
  for (const { phone_number_id, waba_id, display_phone_number: phone } of plan.phones) {
    const primary = business_phones.length === 0;
    const waba_phone_id = await app
      .get(BusinessPhoneRegistry)
      .add(
        { accountId, phoneNumberId: phone_number_id, wabaId: waba_id, phone, primary, throughput: plan.throughput },
        tx,
      );
    business_phones.push({ waba_phone_id, phone_number_id, waba_id, phone });
  }
  await app.get(Wallets).credit(accountId, plan.credits, tx);
  const { key } = await app.get(ApiKeys).issue({ accountId, name: 'Sandbox', scopes: ALL_SCOPES }, tx);
  return {
    organisation_id: organisationId,
    account_id: accountId,
    user_id: userId,
    agents,
    business_phones,
    api_key: key,
  };
}
