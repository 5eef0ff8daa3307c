/** Functions of the common library for Go that templates cannot use, with the reason. */

const slow = 'it computes so long that other requests would wait'
const network = 'it would call a name server while a request waits'

export const excludedFunctions: Readonly<Record<string, string>> = {
  bcrypt: slow,
  htpasswd: slow,
  derivePassword: slow,
  genPrivateKey: slow,
  genCA: slow,
  genCAWithKey: slow,
  genSelfSignedCert: slow,
  genSelfSignedCertWithKey: slow,
  genSignedCert: slow,
  genSignedCertWithKey: slow,
  buildCustomCert: slow,
  encryptAES: slow,
  decryptAES: slow,
  getHostByName: network,
  env: 'it would write variables of the environment into bodies; use $secret_env',
  expandenv: 'it would write variables of the environment into bodies; use $secret_env',
}
