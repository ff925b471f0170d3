package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"go.starlark.net/starlark"
	"gopkg.in/yaml.v3"
)

func decodeStream(text string) (*starlark.List, error) {
	all := starlark.NewList(nil)
	for decoder := yaml.NewDecoder(strings.NewReader(text)); ; {
		var document any
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		value, err := toStarlark(document)
		if err != nil {
			return nil, err
		}
		if err := all.Append(value); err != nil {
			return nil, err
		}
	}
}

func encodeStream(value starlark.Value) (starlark.Value, error) {
	text := &strings.Builder{}
	encoder := yaml.NewEncoder(text)
	for one := range starlark.Elements(value.(starlark.Iterable)) {
		document, err := fromStarlark(one)
		if err != nil {
			return nil, err
		}
		if err := encoder.Encode(document); err != nil {
			return nil, err
		}
	}
	return starlark.String(text.String()), encoder.Close()
}

func toStarlark(value any) (starlark.Value, error) {
	switch value := value.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(value), nil
	case int:
		// as Tilt reads YAML, by way of JSON
		return starlark.Float(value), nil
	case float64:
		return starlark.Float(value), nil
	case string:
		return starlark.String(value), nil
	case []any:
		list := starlark.NewList(nil)
		for _, one := range value {
			element, err := toStarlark(one)
			if err != nil {
				return nil, err
			}
			if err := list.Append(element); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		dict := starlark.NewDict(len(value))
		for name, one := range value {
			element, err := toStarlark(one)
			if err != nil {
				return nil, err
			}
			if err := dict.SetKey(starlark.String(name), element); err != nil {
				return nil, err
			}
		}
		return dict, nil
	}
	return nil, fmt.Errorf("YAML holds a %T", value)
}

// fromStarlark takes what Tilt's encoders take: maps with names, lists, texts, numbers, booleans, None.
func fromStarlark(value starlark.Value) (any, error) {
	switch value := value.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(value), nil
	case starlark.Int:
		number, _ := value.Int64()
		return number, nil
	case starlark.Float:
		return float64(value), nil
	case starlark.String:
		return string(value), nil
	case *starlark.Dict:
		all := map[string]any{}
		for _, pair := range value.Items() {
			name, ok := starlark.AsString(pair[0])
			one, err := fromStarlark(pair[1])
			if !ok || err != nil {
				return nil, fmt.Errorf("%s: %w", pair[0], errors.Join(err))
			}
			all[name] = one
		}
		return all, nil
	case *starlark.List:
		all := []any{}
		for one := range starlark.Elements(value) {
			element, err := fromStarlark(one)
			if err != nil {
				return nil, err
			}
			all = append(all, element)
		}
		return all, nil
	}
	return nil, fmt.Errorf("a %s cannot be encoded", value.Type())
}
