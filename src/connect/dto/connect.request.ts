import { ApiProperty } from '@nestjs/swagger';
import { Optional } from '../../http/field-rules.js';
import { NetworkId, PinDigits, SecretText } from '../connect-fields.js';

/** Body of connect. */
export class ConnectPhoneRequest {
  @NetworkId()
  @ApiProperty({ description: 'Meta’s id of the phone', example: '106540352242922' })
  phone_number_id: string;

  @NetworkId()
  @ApiProperty({ description: 'Meta’s id of the WhatsApp business account', example: '102290129340398' })
  waba_id: string;

  @Optional()
  @SecretText()
  @ApiProperty({
    description: 'A permanent access token of a system user. Either this or `code`',
    example: 'EAAGm0PX4ZCpsBA',
  })
  token?: string | null;

  @Optional()
  @SecretText()
  @ApiProperty({
    description: 'The code of Embedded Signup, which is exchanged for a token: once, within 30 seconds',
    example: 'AQBhR2xvYmFs',
  })
  code?: string | null;

  @Optional()
  @NetworkId()
  @ApiProperty({
    description: 'The app whose token it is. Default: the operator’s first app',
    example: '670843887433847',
  })
  app_id?: string | null;

  @Optional()
  @PinDigits()
  @ApiProperty({ description: 'Registers the number with this PIN', example: '123456' })
  pin?: string | null;
}

/** Body of a change of ids. */
export class ChangePhoneRequest {
  @Optional()
  @NetworkId()
  @ApiProperty({ description: 'Meta’s id of the phone', example: '106540352242922' })
  phone_number_id?: string | null;

  @Optional()
  @NetworkId()
  @ApiProperty({ description: 'Meta’s id of the WhatsApp business account', example: '102290129340398' })
  waba_id?: string | null;
}
