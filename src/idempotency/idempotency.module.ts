import { Room } from '../manifest/room.js';
import { DAY } from '../values/clock.js';
import { ExpiredKeysSweep } from './expired-keys.sweep.js';
import { FingerprintHashesService } from './fingerprint-hashes.service.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { IdempotencyKeysService } from './idempotency-keys.service.js';
import { IdempotentRoutes } from './idempotent-routes.js';

/** Idempotency-Key: makes a POST request safe to repeat. A higher room must provide {@link AnswerRedaction}. */
@Room({
  entities: [IdempotencyKey],
  personalData: { covered: ['idempotency_keys'] },
  kept: { idempotency_keys: { words: '24 hours', ms: DAY } },
  providers: [FingerprintHashesService, IdempotencyKeysService, IdempotentRoutes],
  worker: [ExpiredKeysSweep],
  exports: [IdempotencyKeysService],
})
export class IdempotencyModule {}
