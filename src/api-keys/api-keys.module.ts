import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { KeyManagementService } from './key-management.service.js';

/** API keys that accounts make, rotate and revoke themselves. */
@Module({ controllers: [ApiKeysController], providers: [KeyManagementService] })
export class ApiKeysModule {}
