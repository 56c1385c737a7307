import type { DataSource } from 'typeorm';
import { AccountDirectoryService } from '../accounts/account-directory.service.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { BusinessPhoneRegistryService } from '../accounts/business-phone-registry.service.js';
import { OrganisationsService } from '../accounts/organisations.service.js';
import { WalletsService } from '../accounts/wallets.service.js';
import { AgentsService } from '../agents/agents.service.js';
import type { Retention } from '../config/environment.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import { IdentityHashesService } from '../contacts/erasure/identity-hashes.service.js';
import { BACKGROUND_DEADLINES } from '../database/connections/deadlines.js';
import { createDataSource } from '../database/data-source.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ENTITIES } from '../entities.js';
import type { CliSettings } from './cli-settings.js';

/** Gives commands the services on one database, without the HTTP application. */
export class Operator {
  readonly unitOfWork: UnitOfWork;
  readonly accounts: AccountDirectoryService;
  readonly keys: ApiKeysService;
  readonly organisations: OrganisationsService;
  readonly wallets: WalletsService;
  readonly agents: AgentsService;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly settings: CliSettings,
  ) {
    this.unitOfWork = new UnitOfWork(dataSource);
    this.accounts = new AccountDirectoryService(this.unitOfWork);
    this.keys = new ApiKeysService(this.unitOfWork);
    this.organisations = new OrganisationsService(this.unitOfWork);
    this.wallets = new WalletsService(this.unitOfWork);
    this.agents = new AgentsService(this.unitOfWork);
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

  /** @throws ConfigError when ENCRYPTION_KEY is not set; most commands don't need it */
  get secrets(): SecretBox {
    return new SecretBox(this.settings.encryptionKeys());
  }

  /** @throws ConfigError as {@link secrets} */
  get phones(): BusinessPhoneRegistryService {
    return new BusinessPhoneRegistryService(this.unitOfWork, this.secrets);
  }

  /** @throws ConfigError when a retention variable is not a number of days */
  get retention(): Retention {
    return this.settings.retention();
  }

  /** @throws ConfigError as {@link phones} */
  async erasures(): Promise<ContactErasureService> {
    const { unitOfWork, secrets } = this;
    await new IdentityHashesService(unitOfWork, secrets).onModuleInit();
    return new ContactErasureService(unitOfWork, secrets);
  }

  async disconnect(): Promise<void> {
    await this.dataSource.destroy();
  }
}
