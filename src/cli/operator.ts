import type { DataSource } from 'typeorm';
import { AccountDirectoryService } from '../accounts/account-directory.service.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { BusinessPhoneRegistryService } from '../accounts/business-phone-registry.service.js';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { NetworkAppsService } from '../accounts/network-apps.service.js';
import { OrganisationsService } from '../accounts/organisations.service.js';
import { WalletsService } from '../accounts/wallets.service.js';
import { AgentsService } from '../agents/agents.service.js';
import type { Retention } from '../config/environment.js';
import { MetaReaderService } from '../connect/meta-reader.service.js';
import { PhoneConnectionService } from '../connect/phone-connection.service.js';
import { PhoneHealthService } from '../connect/phone-health.service.js';
import { ConsentService } from '../consent/consent.service.js';
import { IdentityHashesService } from '../consent/identity-hashes.service.js';
import { ContactErasureService } from '../contacts/erasure/contact-erasure.service.js';
import { ConfigurationChanges } from '../database/configuration-changes.js';
import { createDataSource } from '../database/connections/data-source.js';
import { BACKGROUND_DEADLINES } from '../database/connections/deadlines.js';
import { SecretBox } from '../database/secrets/secret-box.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Manifest } from '../manifest/manifest.js';
import { CloudApiClient } from '../network/cloud-api.client.js';
import type { MessagingNetwork } from '../network/network.js';
import { Metrics } from '../runtime/metrics.js';
import { Passwords } from '../sessions/passwords.js';
import { SignInLinksService } from '../sessions/sign-in-links.service.js';
import { UserPasswordsService } from '../sessions/user-passwords.service.js';
import type { CliSettings } from './cli-settings.js';

/** The services that ask Meta. */
export interface MetaSide {
  readonly network: MessagingNetwork;
  readonly phones: BusinessPhonesService;
  readonly connection: PhoneConnectionService;
  readonly health: PhoneHealthService;
}

/** Gives commands the services on one database, without the HTTP application. */
export class Operator {
  readonly unitOfWork: UnitOfWork;
  readonly accounts: AccountDirectoryService;
  readonly keys: ApiKeysService;
  readonly organisations: OrganisationsService;
  readonly wallets: WalletsService;
  readonly agents: AgentsService;
  readonly passwords: UserPasswordsService;
  readonly signInLinks: SignInLinksService;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly settings: CliSettings,
    readonly manifest: Manifest,
  ) {
    this.unitOfWork = new UnitOfWork(dataSource);
    this.accounts = new AccountDirectoryService(this.unitOfWork);
    this.keys = new ApiKeysService(this.unitOfWork);
    this.organisations = new OrganisationsService(this.unitOfWork);
    this.wallets = new WalletsService(this.unitOfWork);
    this.agents = new AgentsService(this.unitOfWork);
    this.passwords = new UserPasswordsService(this.unitOfWork, new Passwords());
    this.signInLinks = new SignInLinksService(this.unitOfWork);
  }

  /** Connects to the database of `settings`. */
  static async connect(settings: CliSettings): Promise<Operator> {
    // Loaded late: commands that call the API start without all rooms.
    const { MANIFEST } = await import('../rooms.js');
    const dataSource = createDataSource({
      url: settings.databaseUrl,
      poolSize: 2,
      applicationName: 'parley-cli',
      deadlines: BACKGROUND_DEADLINES,
      entities: MANIFEST.entities,
    });
    return new Operator(await dataSource.initialize(), settings, MANIFEST);
  }

  /** @throws ConfigError when ENCRYPTION_KEY is not set; most commands don't need it */
  get secrets(): SecretBox {
    return new SecretBox(this.settings.encryptionKeys());
  }

  /** @throws ConfigError as {@link secrets} */
  get phones(): BusinessPhoneRegistryService {
    return new BusinessPhoneRegistryService(this.unitOfWork, this.secrets);
  }

  /** @throws ConfigError as {@link secrets}, and when the app of the environment is not configured */
  get apps(): NetworkAppsService {
    const changes = new ConfigurationChanges(this.unitOfWork);
    return new NetworkAppsService(this.unitOfWork, this.secrets, this.settings.network(), changes);
  }

  /** Our address as Meta and browsers see it; null when it is not known. */
  get publicUrl(): string | null {
    return this.settings.publicUrl();
  }

  /** Runs `work` with what asks Meta. @throws ConfigError as {@link apps} */
  async atMeta<Result>(work: (meta: MetaSide) => Promise<Result>): Promise<Result> {
    const { unitOfWork, secrets, phones: registry, apps } = this;
    const environment = this.settings.network();
    const network = new CloudApiClient(environment, new Metrics());
    const phones = new BusinessPhonesService(unitOfWork, secrets, new ConfigurationChanges(unitOfWork));
    const reader = new MetaReaderService(network);
    const connection = new PhoneConnectionService(unitOfWork, registry, phones, apps, reader, environment);
    const health = new PhoneHealthService(unitOfWork, connection);
    try {
      return await work({ network, phones, connection, health });
    } finally {
      await network.onApplicationShutdown();
    }
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

  /** @throws ConfigError as {@link phones} */
  async consent(): Promise<ConsentService> {
    const { unitOfWork, secrets } = this;
    await new IdentityHashesService(unitOfWork, secrets).onModuleInit();
    return new ConsentService(unitOfWork);
  }

  async disconnect(): Promise<void> {
    await this.dataSource.destroy();
  }
}
