import { Room } from '../manifest/room.js';
import { Account } from './account.entity.js';
import { AccountDirectoryService } from './account-directory.service.js';
import { ApiKey } from './api-key.entity.js';
import { ApiKeysService } from './api-keys.service.js';
import { BusinessAccount } from './business-account.entity.js';
import { BusinessPhoneRegistryService } from './business-phone-registry.service.js';
import { BusinessPhonesService } from './business-phones.service.js';
import { NetworkApp } from './network-app.entity.js';
import { NetworkAppsService } from './network-apps.service.js';
import { Organisation } from './organisation.entity.js';
import { OrganisationsService } from './organisations.service.js';
import { Session } from './session.entity.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInTries } from './sign-in-tries.entity.js';
import { StoredBusinessPhone } from './stored-business-phone.entity.js';
import { User } from './user.entity.js';
import { WalletEntry } from './wallet-entry.entity.js';
import { WalletsService } from './wallets.service.js';

const SERVICES = [
  AccountDirectoryService,
  ApiKeysService,
  BusinessPhoneRegistryService,
  BusinessPhonesService,
  NetworkAppsService,
  OrganisationsService,
  WalletsService,
];

/** Organisations, accounts, their keys, phones and wallets, and the apps at Meta that serve the phones. */
@Room({
  entities: [
    Account,
    ApiKey,
    BusinessAccount,
    StoredBusinessPhone,
    NetworkApp,
    Organisation,
    Session,
    SignInLink,
    SignInTries,
    User,
    WalletEntry,
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class AccountsModule {}
