/** The operator's commands on handovers and conditions (decision 71). */
import { readFile, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import {
  handoverMethods,
  handoverStages,
  partyRoles,
  temperatureUnits,
} from '@pto/proto/vocabulary';
import { textOf } from '@pto/terminal';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { collect, commandMetadata, sideOption, WrongUsage, withMetadata } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { orderIdOf } from '../order-reference.ts';
import { orderShape } from '../order-shape.ts';
import { print } from '../output.ts';
import { sendCommand } from '../send-command.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.pdf': 'application/pdf',
  '.csv': 'text/csv',
  '.ndjson': 'application/x-ndjson',
};

const textTypes = ['text/csv', 'application/x-ndjson'];

const bytesMax = 5 * 1024 * 1024;

/**
 * Reads a file whose name says what it is. Its bytes are sent unchanged.
 * @throws WrongUsage; UnreadableText for readings that are not UTF-8.
 */
const readEvidence = async (path: string) => {
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (!mediaType)
    throw new WrongUsage(
      `${path}: expected a name that ends in ${Object.keys(mediaTypes).join(', ')}`,
    );
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(`${path} cannot be read: ${error.code}`);
  });
  if (content.length > bytesMax) throw new WrongUsage(`${path} is larger than 5 MiB`);
  if (textTypes.includes(mediaType)) textOf(content, path);
  return { content, mediaType };
};

const number = (text: string): number => {
  if (!/^-?\d+(\.\d+)?$/.test(text))
    throw new InvalidArgumentError('expected a number, such as 4.5');
  return Number(text);
};

export const addHandover = (order: Command, open: OpenClients): void => {
  const command = order
    .command('handover <id>')
    .description('record who handed the goods to whom')
    .addOption(new Option('--stage <stage>').choices(handoverStages).makeOptionMandatory())
    .requiredOption('--from <organization>', 'who handed the goods over')
    .addOption(new Option('--from-role <role>').choices(partyRoles).makeOptionMandatory())
    .option('--from-person <name>', 'who acted for it')
    .requiredOption('--to <organization>', 'who received the goods')
    .addOption(new Option('--to-role <role>').choices(partyRoles).makeOptionMandatory())
    .option('--to-person <name>', 'who acted for it')
    .requiredOption(
      '--method <method>',
      `${handoverMethods.join(', ')} (repeatable); signature and id_checked need --to-person`,
      collect,
    )
    .option('--code <digits>', 'the four digits of the link of that side, with the method code')
    .option('--seal <id>', 'a scanned seal (repeatable)', collect)
    .option('--file <path>', 'the signature, picture or document: PNG, JPEG or PDF, at most 5 MiB');
  withMetadata(command).action(async (reference, flags, self) => {
    const id = await orderIdOf(open, reference);
    const { stage, from, fromRole, fromPerson, to, toRole, toPerson, method, seal, file } = flags;
    const circumstances = commandMetadata(id, flags);
    const request = {
      circumstances,
      stage,
      from: { party: from, role: fromRole, ...(fromPerson && { person: fromPerson }) },
      to: { party: to, role: toRole, ...(toPerson && { person: toPerson }) },
      methods: method,
      scannedSealIds: seal ?? [],
      ...(flags.code !== undefined && { code: flags.code }),
      ...(file && { artifact: await readEvidence(file) }),
    };
    const { order, missingSealIds, unexpectedSealIds } = await sendCommand(circumstances, () =>
      open().orders.recordHandover(request),
    );
    await print(self, {
      ...orderShape(order),
      missing_seal_ids: missingSealIds,
      unexpected_seal_ids: unexpectedSealIds,
    });
  });
};

/** Gives a side another code after five wrong ones (decision 86). A repetition changes nothing. */
export const addUnlock = (order: Command, open: OpenClients): void => {
  order
    .command('unlock-code <id>')
    .description('give a side whose code is locked another code, which its link shows')
    .addOption(sideOption('--side <side>'))
    .action(async (reference, { side }, self) => {
      const orderId = await orderIdOf(open, reference);
      await print(
        self,
        orderShape((await open().orders.unlockHandoverCode({ orderId, side })).order),
      );
    });
};

export const addCondition = (order: Command, open: OpenClients): void => {
  const command = order
    .command('condition <id>')
    .description('record the readings of a temperature logger')
    .requiredOption('--file <path>', 'the readings: CSV or NDJSON, at most 5 MiB')
    .requiredOption('--device <id>', 'the logger')
    .option('--calibration <reference>', 'the calibration certificate')
    .option('--calibrated <date>', 'when it was calibrated, YYYY-MM-DD')
    .addOption(new Option('--unit <unit>').choices(temperatureUnits).default('celsius'))
    .option('--min <value>', 'the minimum that the logger states, to be compared', number)
    .option('--max <value>', 'the maximum that the logger states, to be compared', number)
    .option('--mean <value>', 'the mean that the logger states, to be compared', number);
  withMetadata(command).action(async (reference, flags, self) => {
    const id = await orderIdOf(open, reference);
    const { file, device, calibration, calibrated, unit, min, max, mean } = flags;
    const { content, mediaType } = await readEvidence(file);
    const circumstances = commandMetadata(id, flags);
    const request = {
      circumstances,
      readings: {
        content,
        mediaType,
        deviceId: device,
        unit,
        ...(calibration && { calibrationReference: calibration }),
        ...(calibrated && { calibrationDate: calibrated }),
        ...(min !== undefined && { minimum: min }),
        ...(max !== undefined && { maximum: max }),
        ...(mean !== undefined && { mean }),
      },
    };
    const { payloadJson } = await sendCommand(circumstances, () =>
      open().orders.recordCondition(request),
    );
    await print(self, { order_id: id, ...JSON.parse(payloadJson) });
  });
};

/** Stores a file that an entry of the order names: it is personal, so its reader alone may read it. */
export const addFile = (order: Command, open: OpenClients): void => {
  order
    .command('file <id> <sha256>')
    .description('download a file of a handover or of readings, by its sha256 in the history')
    .requiredOption('--out <path>', 'where to store it')
    .action(async (reference, sha256, { out }, self) => {
      const orderId = await orderIdOf(open, reference);
      const { content, mediaType } = await open().orders.exportArtifact({ orderId, sha256 });
      await writeFile(out, content, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        throw new WrongUsage(`${out} cannot be written: ${error.code}`);
      });
      await print(self, { stored: out, media_type: mediaType, size: content.length });
    });
};
