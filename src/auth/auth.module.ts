import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthenticationService } from './authentication.service.js';
import { RouteInventory } from './route-inventory.js';

/** Authentication and scopes. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [AuthenticationService, RouteInventory],
  exports: [AuthenticationService, RouteInventory],
})
export class AuthModule {}
