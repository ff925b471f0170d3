/** The help of `custody-verify`. */
export const usage = `custody-verify FILE [options]

FILE is a proof file (custody-proof/1), or, with --order, the response of
GET /orders/ID/events; - reads standard input.

  --key VKEY              trust this key of the log; repeatable
  --keys PATH             trust the keys in this copy of /custody/keys.json,
                          each within its validity
  --witness VKEY          demand the cosignature of this witness; repeatable
  --quorum N              N of the witnesses are enough; all of them by default
  --order ID              judge a list of events of this order
  --seen-head N:HASH      an earlier head: the hash of the N-th entry
  --seen-checkpoint PATH  an earlier checkpoint of the log: a signed note, or JSON
                          {"checkpoint": note, "consistency": [path to the file's]}
  --json                  print the verdict as JSON
  --help                  print this

Exit code: 0 proven      a trusted key signed for the history, and with --witness
                         enough witnesses cosigned
           3 consistent  the hashes agree, but the signer is unknown, or too few
                         witnesses cosigned
           1 invalid     anything else
           2 wrong usage, a file that cannot be read, or a verdict that cannot be printed
`;
