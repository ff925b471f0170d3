import type { Programs } from './build-programs.ts';

/** What an image is made of. */
interface ImageContents {
  /** Entry files by the program's name. The image starts `main`. */
  readonly programs: Programs;
  /** Files and folders that a program reads at run time, relative to the root. */
  readonly files?: readonly string[];
}

const notoSans = 'node_modules/@expo-google-fonts/noto-sans';

/** The module that Node loads before each program: `--import ./register.mjs`. */
const register = 'packages/telemetry/src/register.ts';

const service = (name: string): Programs => ({
  register,
  main: `services/${name}/src/main.ts`,
  migrate: `services/${name}/src/migrate.ts`,
});

/** The images by name. The charts name their programs: `args: [migrate.mjs]`. */
export const images: Readonly<Record<string, ImageContents>> = {
  gateway: {
    programs: {
      register,
      main: 'services/gateway/src/main.ts',
      'certificate-thread': 'services/gateway/src/certificates/certificate-thread.ts',
      'large-body-thread': 'services/gateway/src/http/large-body-thread.ts',
    },
    files: [
      'services/gateway/pages',
      'node_modules/@pto/custody-verifier/package.json',
      'node_modules/@pto/custody-verifier/src',
      'node_modules/qr/package.json',
      'node_modules/qr/index.js',
      ...['LICENSE', 'LICENSE_FONT', 'package.json'].flatMap((file) =>
        ['', '-math', '-symbols-2', '-arabic', '-sc', '-kr'].map(
          (name) => `${notoSans}${name}/${file}`,
        ),
      ),
      `${notoSans}/400Regular/NotoSans_400Regular.ttf`,
      `${notoSans}/600SemiBold/NotoSans_600SemiBold.ttf`,
      `${notoSans}-math/400Regular/NotoSansMath_400Regular.ttf`,
      `${notoSans}-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf`,
      `${notoSans}-arabic/400Regular/NotoSansArabic_400Regular.ttf`,
      // fonts with Chinese and Japanese, and with Korean letters
      `${notoSans}-sc/400Regular/NotoSansSC_400Regular.ttf`,
      `${notoSans}-kr/400Regular/NotoSansKR_400Regular.ttf`,
      // the color space of PDF/A
      'node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc',
    ],
  },
  operators: {
    programs: {
      ...service('operators'),
      'first-token': 'services/operators/src/first-token.ts',
    },
  },
  orders: {
    programs: {
      ...service('orders'),
      'files-thread': 'services/orders/src/files/files-thread.ts',
    },
    files: ['services/orders/src/geocoding/cities.tsv'],
  },
  custody: {
    programs: { ...service('custody'), topics: 'packages/bus/src/topics.ts' },
  },
  webhooks: { programs: service('webhooks') },
  courier: { programs: service('courier') },
  console: {
    programs: {
      register,
      main: 'services/console/src/main.ts',
      'map-thread': 'services/console/src/map/map-thread.ts',
    },
  },
  operator: { programs: { main: 'operator/src/main.ts' } },
  witness: { programs: { register, main: 'verifiers/witness/src/main.ts' } },
};

/**
 * Returns the contents of an image.
 * @throws Error that lists all images if the name is none of them.
 */
export const contentsOf = (image: string): ImageContents => {
  const contents = Object.hasOwn(images, image) ? images[image] : undefined;
  if (contents) return contents;
  throw new Error(`no image "${image}": expected one of ${Object.keys(images).join(', ')}`);
};
