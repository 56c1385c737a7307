import { Global, Module } from '@nestjs/common';
import { AccountDirectoryService } from './account-directory.service.js';
import { ApiKeysService } from './api-keys.service.js';
import { BusinessPhoneRegistryService } from './business-phone-registry.service.js';
import { BusinessPhonesService } from './business-phones.service.js';
import { OrganisationsService } from './organisations.service.js';
import { WalletsService } from './wallets.service.js';

const SERVICES = [
  AccountDirectoryService,
  ApiKeysService,
  BusinessPhoneRegistryService,
  BusinessPhonesService,
  OrganisationsService,
  WalletsService,
];

/** Organisations, accounts, their keys, phones and wallets. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class AccountsModule {}
