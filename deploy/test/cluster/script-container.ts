/** Returns a container of a partner or of a store that runs a script in the operator's image. */
export const scriptContainer = (name: string, script: string) => ({
  name,
  image: 'localhost/partner-api/operator:dev',
  imagePullPolicy: 'IfNotPresent',
  // the image itself starts the command line
  command: ['/usr/local/bin/node'],
  args: ['--input-type=module', '--eval', script],
});
