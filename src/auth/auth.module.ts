import { DiscoveryModule } from '@nestjs/core';
import { Room } from '../manifest/room.js';
import { AuthenticationService } from './authentication.service.js';
import { LastUses } from './last-uses.js';
import { RouteInventory } from './route-inventory.js';
import { SessionAuthenticationService } from './session-authentication.service.js';

/** Authentication of keys and people, scopes and roles. */
@Room({
  imports: [DiscoveryModule],
  providers: [AuthenticationService, LastUses, RouteInventory, SessionAuthenticationService],
  exports: [AuthenticationService, RouteInventory, SessionAuthenticationService],
})
export class AuthModule {}
