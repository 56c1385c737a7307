import { DiscoveryModule } from '@nestjs/core';
import { Room } from '../manifest/room.js';
import { AuthenticationService } from './authentication.service.js';
import { RouteInventory } from './route-inventory.js';

/** Authentication and scopes. */
@Room({
  imports: [DiscoveryModule],
  providers: [AuthenticationService, RouteInventory],
  exports: [AuthenticationService, RouteInventory],
})
export class AuthModule {}
