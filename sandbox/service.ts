import type { INestApplicationContext } from '@nestjs/common';
import { AccountDirectoryService } from '../src/accounts/account-directory.service.js';
import { ApiKeysService } from '../src/accounts/api-keys.service.js';
import { BusinessPhoneRegistryService } from '../src/accounts/business-phone-registry.service.js';
import { WalletsService } from '../src/accounts/wallets.service.js';
import { AgentsService } from '../src/agents/agents.service.js';
import { EVERY_SCOPE } from '../src/auth/scopes.js';
import { createParley } from '../src/bootstrap.js';
import type { Environment } from '../src/config/environment.js';
import { migrate } from '../src/database/schema/migrate.js';
import { type Tx, UnitOfWork } from '../src/database/unit-of-work.js';
import { DomainError } from '../src/errors/domain-error.js';
import { MANIFEST } from '../src/rooms.js';
import { linkAt, SignInLinksService } from '../src/sessions/sign-in-links.service.js';
import type { SeededAccount, Seeder, SeedPlan } from './sandbox-seed.js';

/** The service, migrated and assembled but not listening yet. */
export interface Service {
  readonly seeder: Seeder;
  /** A link to the console that signs a user in once; null for one who may not. */
  signInLink(baseUrl: string, userId: string): Promise<string | null>;
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Migrates the database and assembles the service. */
export async function startService(environment: Environment): Promise<Service> {
  await migrate(environment.databaseDirectUrl, MANIFEST);
  const parley = await createParley(environment);
  return {
    seeder: seederOf(parley.app),
    signInLink: async (baseUrl, userId) => {
      try {
        const { token } = await parley.app.get(SignInLinksService).issue(userId, { lasting: true });
        return linkAt(baseUrl, token);
      } catch (error) {
        // The owner was deactivated.
        if (error instanceof DomainError && error.code === 'not_found') return null;
        throw error;
      }
    },
    listen: () => parley.listen(),
    close: () => parley.close(),
  };
}

function seederOf(app: INestApplicationContext): Seeder {
  return {
    has: (accountId) => hasAccount(app.get(WalletsService), accountId),
    // One transaction, so a start killed while seeding leaves nothing behind.
    seed: (plan) => app.get(UnitOfWork).transaction((tx) => seed(app, plan, tx)),
  };
}

async function hasAccount(wallets: WalletsService, accountId: string): Promise<boolean> {
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
    .get(AccountDirectoryService)
    .create({ name: plan.organisation, owner }, tx);
  if (organisationId === null) throw new Error('the seeded account has no organisation');

  const agents: { user_id: string; full_name: string }[] = [];
  for (const { full_name, email } of plan.agents) {
    const agent = { organisationId, fullName: full_name, email, role: 'agent' } as const;
    agents.push({ user_id: await app.get(AgentsService).add(agent, tx), full_name });
  }
  const business_phones: SeededAccount['business_phones'][number][] = [];
  for (const { phone_number_id, waba_id, display_phone_number: phone } of plan.phones) {
    const primary = business_phones.length === 0;
    const waba_phone_id = await app
      .get(BusinessPhoneRegistryService)
      .add(
        { accountId, phoneNumberId: phone_number_id, wabaId: waba_id, phone, primary, throughput: plan.throughput },
        tx,
      );
    business_phones.push({ waba_phone_id, phone_number_id, waba_id, phone });
  }
  await app.get(WalletsService).credit(accountId, plan.credits, tx);
  const { key } = await app.get(ApiKeysService).issue({ accountId, name: 'Sandbox', scopes: [EVERY_SCOPE] }, tx);
  return {
    organisation_id: organisationId,
    account_id: accountId,
    user_id: userId,
    agents,
    business_phones,
    api_key: key,
  };
}
