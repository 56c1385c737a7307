import type { DataSource } from 'typeorm';
import { AccountDirectory } from '../accounts/account-directory.service.js';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { BusinessPhoneRegistry } from '../accounts/business-phone-registry.service.js';
import { Organisations } from '../accounts/organisations.service.js';
import { Wallets } from '../accounts/wallets.service.js';
import { Agents } from '../agents/agents.service.js';
import type { Retention } from '../config/environment.js';
import { ContactErasures } from '../contacts/contact-erasure.service.js';
import { IdentityHashes } from '../contacts/identity-hashes.service.js';
import { createDataSource } from '../database/data-source.js';
import { BACKGROUND_DEADLINES } from '../database/deadlines.js';
import { SecretBox } from '../database/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ENTITIES } from '../entities.js';
import type { CliSettings } from './cli-settings.js';

/** The services that commands call, on one database and without the HTTP application. */
export class Operator {
  readonly unitOfWork: UnitOfWork;
  readonly accounts: AccountDirectory;
  readonly keys: ApiKeys;
  readonly organisations: Organisations;
  readonly wallets: Wallets;
  readonly agents: Agents;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly settings: CliSettings,
  ) {
    this.unitOfWork = new UnitOfWork(dataSource);
    this.accounts = new AccountDirectory(this.unitOfWork);
    this.keys = new ApiKeys(this.unitOfWork);
    this.organisations = new Organisations(this.unitOfWork);
    this.wallets = new Wallets(this.unitOfWork);
    this.agents = new Agents(this.unitOfWork);
  }

  /** Connects to the database of `settings`. */
  static async connect(settings: CliSettings): Promise<Operator> {
    const dataSource = createDataSource({
      url: settings.databaseUrl,
      poolSize: 2,
      applicationName: 'parley-cli',
      deadlines: BACKGROUND_DEADLINES,
      entities: ENTITIES,
    });
    return new Operator(await dataSource.initialize(), settings);
  }

  /** @throws ConfigError when there is no key to seal with, which most commands do not need */
  get secrets(): SecretBox {
    return new SecretBox(this.settings.encryptionKeys());
  }

  /** @throws ConfigError as {@link secrets} */
  get phones(): BusinessPhoneRegistry {
    return new BusinessPhoneRegistry(this.unitOfWork, this.secrets);
  }

  /** @throws ConfigError when it is set to something else than numbers of days */
  get retention(): Retention {
    return this.settings.retention();
  }

  /** @throws ConfigError as {@link phones} */
  async erasures(): Promise<ContactErasures> {
    const { unitOfWork, secrets } = this;
    await new IdentityHashes(unitOfWork, secrets).onModuleInit();
    return new ContactErasures(unitOfWork, secrets);
  }

  async disconnect(): Promise<void> {
    await this.dataSource.destroy();
  }
}
