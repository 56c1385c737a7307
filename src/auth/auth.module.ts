import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ApiKeyService } from './api-key.service.js';
import { RouteInventory } from './route-inventory.js';

/** Who calls, and what they may do. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [ApiKeyService, RouteInventory],
  exports: [ApiKeyService, RouteInventory],
})
export class AuthModule {}
