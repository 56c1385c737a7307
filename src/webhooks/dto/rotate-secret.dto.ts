import { ApiProperty } from '@nestjs/swagger';
import { AbsenceMeansMore, Optional } from '../../http/field-rules.js';
import { ShownOnce } from '../../http/shown-once.js';
import { WebhookRecord } from '../endpoint-record.js';
import type { RotatedSecret } from '../webhooks.service.js';
import { WebhookActionResponse } from './webhook.dto.js';
import { SigningSecret } from './webhook-fields.js';

/** Body of `POST /api/v1/webhooks/{webhook_id}/rotate-secret`. */
export class RotateSecretRequest {
  @ApiProperty({ description: 'Default: a random secret of the form `whsec_…`' })
  @AbsenceMeansMore()
  @Optional()
  @SigningSecret()
  secret?: string | null;
}

/** Response to a rotation, the only response that ever contains a secret. */
export class RotateSecretResponse extends WebhookActionResponse {
  @ShownOnce()
  @ApiProperty({ description: 'The new secret; it is not shown again' })
  secret: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Until then, `webhook-signature` also has a signature with the previous secret; null if there was none',
  })
  previous_secret_until: string | null;

  static rotated({ endpoint, secret }: RotatedSecret): RotateSecretResponse {
    return {
      status: 'success',
      message: 'Secret rotated',
      webhook: WebhookRecord.from(endpoint),
      secret,
      previous_secret_until: endpoint.previousSecretUntil?.toISOString() ?? null,
    };
  }
}
