import { Room } from '../manifest/room.js';
import { ApiKeysController } from './api-keys.controller.js';
import { API_KEYS_EXAMPLES } from './api-keys.examples.js';
import { KeyManagementService } from './key-management.service.js';

/** API keys that accounts make, rotate and revoke themselves. */
@Room({
  areas: ['api_keys'],
  tags: [['api-keys', 'Keys of the account']],
  examples: API_KEYS_EXAMPLES,
  controllers: [ApiKeysController],
  providers: [KeyManagementService],
})
export class ApiKeysModule {}
