//go:build corpus

package validate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/openrpc-go/rpcgen/runtime/schema"

	"github.com/openrpc-go/rpcgen/testdata/bench/validate/eth"
)

// writtenBlock is the result of eth_simulateV1, written by hand and unchecked.
type writtenBlock struct {
	BaseFeePerGas         string  `json:"baseFeePerGas"`
	BlobGasUsed           string  `json:"blobGasUsed"`
	Difficulty            string  `json:"difficulty"`
	ExcessBlobGas         string  `json:"excessBlobGas"`
	ExtraData             string  `json:"extraData"`
	GasLimit              string  `json:"gasLimit"`
	GasUsed               string  `json:"gasUsed"`
	Hash                  string  `json:"hash"`
	LogsBloom             string  `json:"logsBloom"`
	Miner                 string  `json:"miner"`
	MixHash               string  `json:"mixHash"`
	Nonce                 string  `json:"nonce"`
	Number                string  `json:"number"`
	ParentBeaconBlockRoot string  `json:"parentBeaconBlockRoot"`
	ParentHash            string  `json:"parentHash"`
	ReceiptsRoot          string  `json:"receiptsRoot"`
	RequestsHash          string  `json:"requestsHash"`
	Sha3Uncles            string  `json:"sha3Uncles"`
	Size                  string  `json:"size"`
	StateRoot             string  `json:"stateRoot"`
	Timestamp             string  `json:"timestamp"`
	TransactionsRoot      string  `json:"transactionsRoot"`
	WithdrawalsRoot       string  `json:"withdrawalsRoot"`
	BlockAccessListHash   *string `json:"blockAccessListHash"`
	Calls                 []struct {
		Status      string  `json:"status"`
		ReturnData  string  `json:"returnData"`
		GasUsed     string  `json:"gasUsed"`
		MaxUsedGas  *string `json:"maxUsedGas"`
		Logs, Error any
	} `json:"calls"`
	Transactions []any `json:"transactions"`
	Uncles       []any `json:"uncles"`
	Withdrawals  []any `json:"withdrawals"`
}

// recorded is the largest recorded result of the execution APIs.
func recorded() ([]Case, error) {
	root := os.Getenv("CORPUS")
	if root == "" {
		root = "../../../../shared/corpus"
	}
	text, err := os.ReadFile(filepath.Join(root, "recordings/execution-apis/eth_simulateV1/ethSimulate-add-more-non-defined-BlockStateCalls-than-fit-but-now-with-fit.io"))
	if err != nil {
		return nil, err
	}
	_, text, _ = bytes.Cut(text, []byte(`"result":`))
	text = bytes.TrimSuffix(bytes.TrimSpace(text), []byte("}"))
	document, err := os.ReadFile(filepath.Join(root, "openrpc/ethereum-execution-apis/openrpc.json"))
	if err != nil {
		return nil, err
	}
	columns, err := recordedColumns(document)
	return []Case{{fmt.Sprintf("(e) eth_simulateV1, %d KB", len(text)/1000), text, columns, broken(text,
		"pattern", `"gasLimit":"0x`, `"gasLimit":"0y`, "type", `"calls":[`, `"calls":[7`)}}, err
}

func recordedColumns(document []byte) ([]Column, error) {
	unions, err := schema.NewUnions(eth.Unions()...)
	if err != nil {
		return nil, err
	}
	codec, err := codecOf[[]eth.SimulateV1ResultItem]("eth/contract.json", "eth_simulateV1", unions)
	if err != nil {
		return nil, err
	}
	pointer, err := resultOf(document, "eth_simulateV1")
	if err != nil {
		return nil, err
	}
	foreign, err := validators(document, pointer)
	if err != nil {
		return nil, err
	}
	list := append(own(codec), Column{JSONValid, false, false, valid},
		Column{"encoding/json, no checks", true, false, unchecked[[]writtenBlock]})
	return append(append(list, foreign...), both(foreign[0], unchecked[[]writtenBlock])), nil
}

// resultOf points to the schema of a method's result.
func resultOf(document []byte, name string) (string, error) {
	var declared struct{ Methods []struct{ Name string } }
	if err := json.Unmarshal(document, &declared); err != nil {
		return "", err
	}
	for k, m := range declared.Methods {
		if m.Name == name {
			return fmt.Sprintf("/methods/%d/result/schema", k), nil
		}
	}
	return "", fmt.Errorf("the document has no method %q", name)
}
