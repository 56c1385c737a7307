import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateBy, ValidateNested, type ValidationArguments } from 'class-validator';
import { described, Optional, Text, TextList, TextMap, WholeNumber, wrongType } from '../../http/field-rules.js';
import {
  type ButtonInput,
  type CardInput,
  type LocationInput,
  MAX_COUPON,
  MAX_PAYLOAD,
  MAX_URL_SUFFIX,
  type SendingInput,
} from '../rendering/sending-input.js';

/** The latest time a Date can hold, milliseconds. */
const LAST_TIME = 8_640_000_000_000_000;
const MAX_CARDS = 10;
/** The network's limit. */
const MAX_FILENAME = 240;
/** Buttons of a template. */
export const MAX_BUTTONS = 10;
/** Characters of a media URL; our limit, not the network's. */
export const MAX_URL = 2048;

const Degrees = (max: number): PropertyDecorator =>
  described(
    { type: 'number', minimum: -max, maximum: max },
    ValidateBy({
      name: 'degrees',
      validator: {
        validate: (value) => typeof value === 'number' && Math.abs(value) <= max,
        defaultMessage: (found) =>
          typeof found?.value === 'number'
            ? `${found.property} must be a number from -${max} to ${max} (got ${found.value})`
            : wrongType(String(found?.property), 'a number', found?.value),
      },
    }),
  );

/** An array of objects. */
const Objects = (max: number): PropertyDecorator => {
  const wrong = ({ property, value }: ValidationArguments) => wrongType(property, 'an array of objects', value);
  const array = IsArray({ message: wrong });
  const size = ArrayMaxSize(max, { message: `$property must have at most ${max} entries` });
  const objects = IsObject({ each: true, message: '$property must be an array of objects' });
  return (target, property) => {
    for (const rule of [array, size, objects, ValidateNested({ each: true })]) rule(target, property);
  };
};

/** Parameters of one button. */
export class ButtonParamField {
  @ApiProperty({ description: 'Position of the button in the template, from 0' })
  @WholeNumber(0, MAX_BUTTONS - 1)
  index: number;

  @ApiProperty({ description: 'Required for a URL button with {{1}}' })
  @Optional()
  @Text({ max: MAX_URL_SUFFIX, blank: true })
  url_param?: string;

  @ApiProperty({ description: 'For a quick reply; default: its text' })
  @Optional()
  @Text({ max: MAX_PAYLOAD, blank: true })
  payload?: string;

  @ApiProperty({ description: 'For COPY_CODE; default: the template’s code' })
  @Optional()
  @Text({ max: MAX_COUPON, blank: true })
  coupon_code?: string;

  static input({ index, url_param, payload, coupon_code }: ButtonParamField): ButtonInput {
    return { index, urlParam: url_param ?? null, payload: payload ?? null, couponCode: coupon_code ?? null };
  }

  static from({ index, urlParam, payload, couponCode }: ButtonInput): ButtonParamField {
    return {
      index,
      ...(urlParam === null ? {} : { url_param: urlParam }),
      ...(payload === null ? {} : { payload }),
      ...(couponCode === null ? {} : { coupon_code: couponCode }),
    };
  }
}

/** Where a LOCATION header points. */
export class LocationField {
  @Degrees(90)
  latitude: number;

  @Degrees(180)
  longitude: number;

  @Optional()
  @Text({ max: 1024, blank: true })
  name?: string;

  @Optional()
  @Text({ max: 1024, blank: true })
  address?: string;

  static input({ latitude, longitude, name, address }: LocationField): LocationInput {
    return { latitude, longitude, name: name || null, address: address || null };
  }

  static from({ latitude, longitude, name, address }: LocationInput): LocationField {
    return { latitude, longitude, ...(name === null ? {} : { name }), ...(address === null ? {} : { address }) };
  }
}

/** One card of a carousel. */
export class CarouselEntryField {
  @ApiProperty({ description: 'Publicly accessible URL' })
  @Optional()
  @Text({ max: MAX_URL, blank: true })
  media_url?: string;

  @ApiProperty({ description: 'One per URL button with {{1}}' })
  @Optional()
  @TextList(2, MAX_URL_SUFFIX)
  url_button_params?: string[];

  @ApiProperty({ description: 'One per quick reply; default: its text' })
  @Optional()
  @TextList(2, MAX_PAYLOAD)
  button_payloads?: string[];

  static input({ media_url, url_button_params, button_payloads }: CarouselEntryField): CardInput {
    return {
      mediaUrl: media_url ?? null,
      urlButtonParams: url_button_params ?? [],
      buttonPayloads: button_payloads ?? [],
    };
  }

  static from({ mediaUrl, urlButtonParams, buttonPayloads }: CardInput): CarouselEntryField {
    return {
      ...(mediaUrl === null ? {} : { media_url: mediaUrl }),
      url_button_params: [...urlButtonParams],
      button_payloads: [...buttonPayloads],
    };
  }
}

/** The fields that fill in a template except its body; shared by single sends, campaigns and previews. */
export class FillingFields {
  @ApiProperty({ description: 'Value for the variable of a TEXT header' })
  @Optional()
  @TextMap()
  header_data?: Record<string, string>;

  @ApiProperty({ description: 'Required if the header is IMAGE, VIDEO or DOCUMENT' })
  @Optional()
  @Text({ max: MAX_URL, blank: true })
  media_url?: string;

  @ApiProperty({ description: 'For documents' })
  @Optional()
  @Text({ max: MAX_FILENAME, blank: true })
  filename?: string;

  @ApiPropertyOptional({ type: LocationField, description: 'Required if the header is LOCATION' })
  @Optional()
  @IsObject({ message: ({ property, value }) => wrongType(property, 'an object', value) })
  @ValidateNested()
  @Type(() => LocationField)
  location?: LocationField;

  @ApiPropertyOptional({ type: [ButtonParamField], maxItems: MAX_BUTTONS })
  @Optional()
  @Objects(MAX_BUTTONS)
  @Type(() => ButtonParamField)
  button_params?: ButtonParamField[];

  @ApiPropertyOptional({
    type: [CarouselEntryField],
    maxItems: MAX_CARDS,
    description: 'Required for carousels: one entry per card, in card order',
  })
  @Optional()
  @Objects(MAX_CARDS)
  @Type(() => CarouselEntryField)
  carousel_data?: CarouselEntryField[];

  @ApiProperty({ description: 'Required for limited-time offers: epoch milliseconds, in the future' })
  @Optional()
  @WholeNumber(1, LAST_TIME)
  expiration_time_ms?: number;

  protected toFilling(): Omit<SendingInput, 'bodyData'> {
    return {
      headerData: this.header_data ?? {},
      mediaUrl: this.media_url ?? null,
      filename: this.filename || null,
      location: this.location ? LocationField.input(this.location) : null,
      buttonParams: this.button_params?.map(ButtonParamField.input) ?? [],
      carouselData: this.carousel_data?.map(CarouselEntryField.input) ?? null,
      expirationTimeMs: this.expiration_time_ms ?? null,
    };
  }
}

/** The fields that fill in a template on single sends and previews. */
export class SendingFields extends FillingFields {
  @ApiProperty({
    description: 'One value per body variable; required if the body has variables',
    example: { '1': 'Ada' },
  })
  @Optional()
  @TextMap()
  body_data?: Record<string, string>;

  toSendingInput(): SendingInput {
    return { ...this.toFilling(), bodyData: this.body_data ?? {} };
  }
}
