import { Global, Module } from '@nestjs/common';
import { AccountDirectory } from './account-directory.service.js';
import { ApiKeys } from './api-keys.service.js';
import { BusinessPhoneRegistry } from './business-phone-registry.service.js';
import { BusinessPhones } from './business-phones.service.js';
import { Organisations } from './organisations.service.js';
import { Wallets } from './wallets.service.js';

const SERVICES = [AccountDirectory, ApiKeys, BusinessPhoneRegistry, BusinessPhones, Organisations, Wallets];

/** Organisations, accounts, their keys, phones and wallets. */
@Global()
@Module({ providers: SERVICES, exports: SERVICES })
export class AccountsModule {}
