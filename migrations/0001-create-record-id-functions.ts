import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Record ids are UUIDv7: an id contains its creation time, and a range of ids is a range of time. These functions make
 * ids and range bounds in SQL; PostgreSQL has built-in ones only since version 18.
 */
export class CreateRecordIdFunctions1790000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION record_id_bound(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        RETURN rpad(lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0')::uuid
    `);
    await runner.query(`
      COMMENT ON FUNCTION record_id_bound IS 'the lowest id that a record made at this time, or later, can have'
    `);
    await runner.query(`
      CREATE FUNCTION new_record_id() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
        RETURN encode(set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid()) PLACING
            substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
          52, 1), 53, 1), 'hex')::uuid
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION new_record_id
    `);
    await runner.query(`
      DROP FUNCTION record_id_bound
    `);
  }
}
